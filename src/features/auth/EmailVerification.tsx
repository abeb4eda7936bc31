import { useState } from 'react';
import styled from 'styled-components';
import { PAGE_MESSAGES } from '../../contract/pageMessages';
import { useSession, useSessionCommands } from '../../session/hooks';
import { Button } from '../../ui/Button';
import { Warning } from '../../ui/fieldStyle';
import { ErrorText } from '../../ui/page';
import { space } from '../../ui/theme';
import { DemoMailNote } from './DemoMailNote';

const Box = styled(Warning)`
  display: grid;
  justify-items: start;
  gap: ${space(3)};
  padding-block: ${space(4)};
`;

const Lead = styled.p`
  font-weight: 600;
`;

function useVerificationLink(email: string) {
  const { sendVerification } = useSessionCommands();
  const [busy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<{ error?: string }>();
  async function send() {
    setBusy(true);
    setOutcome(
      await sendVerification(email).then(
        () => ({}),
        ({ message: error }: Error) => ({ error }),
      ),
    );
    setBusy(false);
  }
  return { send, busy, error: outcome?.error, isSent: outcome !== undefined && !outcome.error };
}

/** For a user whose email is not verified: says so, and sends the link again. */
export function EmailVerification() {
  const { email, emailVerified } = useSession();
  const { send, busy, error, isSent } = useVerificationLink(email);
  if (emailVerified) return null;
  return (
    <Box>
      <Lead role="status">{isSent ? PAGE_MESSAGES.verificationSent : PAGE_MESSAGES.emailNotVerified}</Lead>
      <DemoMailNote />
      <Button variant="quiet" busy={busy} onClick={() => void send()}>
        Send the link again
      </Button>
      {error && <ErrorText>{error}</ErrorText>}
    </Box>
  );
}
