import { useState } from 'react';
import { useSessionCommands } from '../../session/hooks';
import { SPEC_MESSAGES } from '../../contract/specMessages';
import { UserError } from '../../contract/problem';
import { PAGE_MESSAGES } from '../../contract/pageMessages';
import { Button } from '../../ui/Button';
import { Stack } from '../../ui/page';
import { DemoMailNote } from './DemoMailNote';

type Props = {
  email: () => string;
  /** Runs `work` as an action of the login form, which shows its error. */
  runUnlessBusy: (work: () => Promise<undefined>) => Promise<void>;
};

/** Asks the identity provider to send an email with a link that sets a new password. */
export function ForgottenPassword({ email, runUnlessBusy }: Props) {
  const { requestPasswordReset } = useSessionCommands();
  const [sent, setSent] = useState(false);

  const send = async () => {
    const address = email();
    if (!address) throw new UserError(SPEC_MESSAGES.emailRequired);
    await requestPasswordReset(address);
    setSent(true);
    return undefined;
  };
  return (
    <Stack>
      {sent && (
        <Stack $gap={2} role="status">
          <p>{PAGE_MESSAGES.passwordResetSent}</p>
          <DemoMailNote />
        </Stack>
      )}
      <Button variant="quiet" onClick={() => void runUnlessBusy(send)}>
        {sent ? 'Send the link again' : 'Forgot your password?'}
      </Button>
    </Stack>
  );
}
