import { useState } from 'react';
import { useSessionActions } from '../../session/sessionActions';
import { useConfig } from '../../config';
import { MESSAGES, WORDS } from '../../contract/messages';
import { Button } from '../../ui/Button';
import { ErrorText, Muted } from '../../ui/page';
import { useAttempt } from '../../forms/useAttempt';

/** The provider's own mail; the embedded service has none to send. */
export function ForgottenPassword({ email }: { email: () => string }) {
  const { identity } = useConfig();
  const { resetPassword } = useSessionActions();
  const { error, run } = useAttempt();
  const [sent, setSent] = useState(false);

  if (identity.kind === 'embedded') return <Muted>{WORDS.noPasswordMail}</Muted>;
  if (sent) return <p role="status">{WORDS.passwordMailSent}</p>;
  const send = async () => {
    const address = email();
    if (!address) throw new Error(MESSAGES.emailRequired);
    await resetPassword(address);
  };
  return (
    <>
      <Button variant="quiet" onClick={() => void run(send, () => setSent(true))}>
        Forgot your password?
      </Button>
      {error && <ErrorText>{error}</ErrorText>}
    </>
  );
}
