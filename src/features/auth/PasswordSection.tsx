import { useEffect } from 'react';
import styled from 'styled-components';
import { COMMON_PASSWORD_MESSAGE, WRONG_CURRENT_PASSWORD } from '../../contract/identityMessages';
import { PAGE_MESSAGES } from '../../contract/pageMessages';
import { SPEC_MESSAGES } from '../../contract/specMessages';
import { toastTextOf } from '../../contract/toastText';
import { useSubmitForm } from '../../forms/useSubmitForm';
import { useSession, useSessionCommands } from '../../session/hooks';
import { Form } from '../../ui/Form';
import { Card, MutedText } from '../../ui/page';
import { size, space } from '../../ui/theme';
import { LoginPassword, NEW_PASSWORD_HINT, passwordRules } from './credentialFields';

const Title = styled.h2`
  margin-bottom: ${space(1)};
  font-size: ${size.title};
`;

const BLANK = { current: '', next: '' };
const FIELD_OF_MESSAGE: Record<string, keyof typeof BLANK> = {
  [WRONG_CURRENT_PASSWORD]: 'current',
  [SPEC_MESSAGES.passwordShort]: 'next',
  [COMMON_PASSWORD_MESSAGE]: 'next',
};

/**
 * Asks before the page closes. Otherwise it could close after the password changed and before the new session is
 * stored, and the customer would be logged out.
 */
function useAskBeforeLeaving(isChanging: boolean) {
  useEffect(() => {
    if (!isChanging) return undefined;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isChanging]);
}

function ChangePassword() {
  const { email } = useSession();
  const { changePassword } = useSessionCommands();
  const { form, busy, error, submit } = useSubmitForm({
    defaults: BLANK,
    success: PAGE_MESSAGES.passwordChanged,
    send: async ({ current, next }) => {
      await changePassword(current, next);
      return { reset: BLANK };
    },
    fieldOfMessage: FIELD_OF_MESSAGE,
    onFailure: toastTextOf,
  });
  useAskBeforeLeaving(busy);
  const newPasswordRules = {
    ...passwordRules,
    validate: (next: string) => next !== form.getValues('current') || PAGE_MESSAGES.passwordUnchanged,
  };

  return (
    <Form label="Password" action="Change password" busy={busy} error={error} onSubmit={submit}>
      <Title>Password</Title>
      {/* Tells password managers whose password changes. */}
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      <LoginPassword
        form={form}
        name="current"
        label="Current password"
        rules={{ required: passwordRules.required }}
        autoComplete="current-password"
      />
      <LoginPassword
        form={form}
        name="next"
        label="New password"
        hint={NEW_PASSWORD_HINT}
        rules={newPasswordRules}
        autoComplete="new-password"
      />
    </Form>
  );
}

export function PasswordSection() {
  const { hasPassword } = useSession();
  if (hasPassword) return <ChangePassword />;
  return (
    <Card>
      <Title>Password</Title>
      <MutedText>You log in with Google, so you have no password here.</MutedText>
    </Card>
  );
}
