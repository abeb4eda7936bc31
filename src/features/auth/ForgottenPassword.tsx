import { useState } from 'react';
import { useSessionCommands } from '../../session/hooks';
import { useConfig } from '../../config';
import { SPEC_MESSAGES } from '../../contract/specMessages';
import { PAGE_MESSAGES } from '../../contract/pageMessages';
import { Button } from '../../ui/Button';
import { Muted } from '../../ui/page';

type Props = {
  email: () => string;
  /** Runs work in the surrounding form, which shows a failure. */
  run: (work: () => Promise<undefined>) => Promise<void>;
};

/** The provider sends the email. The embedded identity cannot send any. */
export function ForgottenPassword({ email, run }: Props) {
  const { identity } = useConfig();
  const { resetPassword } = useSessionCommands();
  const [sent, setSent] = useState(false);

  if (identity.kind === 'embedded') return <Muted>{PAGE_MESSAGES.passwordResetUnavailable}</Muted>;
  if (sent) return <p role="status">{PAGE_MESSAGES.passwordResetSent}</p>;
  const send = async () => {
    const address = email();
    if (!address) throw new Error(SPEC_MESSAGES.emailRequired);
    await resetPassword(address);
    setSent(true);
    return undefined;
  };
  return (
    <Button variant="quiet" onClick={() => void run(send)}>
      Forgot your password?
    </Button>
  );
}
