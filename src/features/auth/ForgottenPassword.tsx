import { useState } from 'react';
import { useSessionCommands } from '../../session/hooks';
import { useConfig } from '../../config';
import { CONTACT } from '../../contract/contact';
import { SPEC_MESSAGES } from '../../contract/specMessages';
import { PAGE_MESSAGES } from '../../contract/pageMessages';
import { Button } from '../../ui/Button';
import { MutedText } from '../../ui/page';

type Props = {
  email: () => string;
  /** Runs `work` as an action of the login form, which shows its error. */
  runUnlessBusy: (work: () => Promise<undefined>) => Promise<void>;
};

/**
 * Asks the identity provider to send an email that resets the password. The embedded identity service cannot send
 * email, so a text asks the customer to contact the shop instead.
 */
export function ForgottenPassword({ email, runUnlessBusy }: Props) {
  const { identity } = useConfig();
  const { requestPasswordReset } = useSessionCommands();
  const [sent, setSent] = useState(false);

  if (identity.kind === 'embedded')
    return (
      <MutedText>
        You can&apos;t reset your password online. If you can&apos;t log in,{' '}
        <a href={`mailto:${CONTACT.email}`}>contact us</a> and we&apos;ll help.
      </MutedText>
    );
  if (sent) return <p role="status">{PAGE_MESSAGES.passwordResetSent}</p>;
  const send = async () => {
    const address = email();
    if (!address) throw new Error(SPEC_MESSAGES.emailRequired);
    await requestPasswordReset(address);
    setSent(true);
    return undefined;
  };
  return (
    <Button variant="quiet" onClick={() => void runUnlessBusy(send)}>
      Forgot your password?
    </Button>
  );
}
