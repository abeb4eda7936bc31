import { useEffect, useState } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { useConfig } from '../../config';
import { useSubmitForm } from '../../forms/useSubmitForm';
import { useSession, useSessionCommands } from '../../session/hooks';
import { IDENTITY_MESSAGES } from '../../contract/identityMessages';
import { MAX_LENGTH } from '../../contract/limits';
import { toastTextOf } from '../../contract/toastText';
import { Button } from '../../ui/Button';
import { FormField } from '../../ui/Field';
import { Head } from '../../ui/Head';
import { Card, ErrorText, Page, PageTitle, Stack } from '../../ui/page';
import { useHydrated } from '../../ui/useHydrated';
import { useNavigateWhileMounted } from '../../ui/useNavigateWhileMounted';
import { FIELD_OF_MESSAGE, LoginEmail, LoginPassword, nameRules, NEW_PASSWORD_HINT } from './credentialFields';
import { GoogleButton } from './GoogleButton';
import { readPathAfterSignup } from './returnPath';
import { SignedInCard } from './SignedInCard';
import { ToolToOrder } from './ToolToOrder';

const EMAIL_IN_USE = IDENTITY_MESSAGES['auth/email-already-in-use'];
const BLANK = { name: '', email: '', password: '' };

/** Creates the account and then sets its name. If setting the name fails, the next try only sets the name. */
function useSignup() {
  const { signUp, rename, signInWithGoogle } = useSessionCommands();
  const navigate = useNavigateWhileMounted();
  const { state } = useLocation();
  const [hasAccount, setHasAccount] = useState(false);
  const leave = () => void navigate(readPathAfterSignup(state), { replace: true });
  const signup = useSubmitForm({
    defaults: BLANK,
    send: async ({ name, email, password }) => {
      if (!hasAccount) await signUp(email.trim(), password);
      setHasAccount(true);
      await rename(name.trim());
      return { leave };
    },
    fieldOfMessage: FIELD_OF_MESSAGE,
    onFailure: toastTextOf,
  });
  const withGoogle = async () => {
    await signInWithGoogle();
    return { leave };
  };
  return { ...signup, hasAccount, signUpWithGoogle: () => void signup.runUnlessBusy(withGoogle) };
}

/** The same sentence as `EMAIL_IN_USE`, but with a link to the login page. */
const EmailInUse = ({ state }: { state: unknown }) => (
  <>
    An account with this email already exists.{' '}
    <Link to="/login" state={state}>
      Log in
    </Link>{' '}
    instead.
  </>
);

function SignupForm({ form, error, busy, submit, hasAccount, signUpWithGoogle }: ReturnType<typeof useSignup>) {
  const { identity } = useConfig();
  const { prepare } = useSessionCommands();
  const { state } = useLocation();
  const isHydrated = useHydrated();

  useEffect(prepare, [prepare]);

  return (
    <Card $narrow>
      <Stack $gap={5}>
        <PageTitle>Signup</PageTitle>
        <ToolToOrder state={state} />
        {identity.google && (
          <GoogleButton disabled={!isHydrated || hasAccount} busy={busy} onClick={signUpWithGoogle} />
        )}
        <form method="post" noValidate onSubmit={submit}>
          <Stack>
            <FormField
              form={form}
              name="name"
              label="Name"
              rules={nameRules}
              autoComplete="name"
              maxLength={MAX_LENGTH.name}
            />
            <LoginEmail form={form} name="email" readOnly={hasAccount} />
            <LoginPassword
              form={form}
              name="password"
              hint={NEW_PASSWORD_HINT}
              autoComplete="new-password"
              readOnly={hasAccount}
            />
            <Button type="submit" wide disabled={!isHydrated} busy={busy}>
              {hasAccount ? 'Save your name' : 'Sign up'}
            </Button>
            {error && <ErrorText>{error === EMAIL_IN_USE ? <EmailInUse state={state} /> : error}</ErrorText>}
          </Stack>
        </form>
        <p>
          Already have an account?{' '}
          <Link to="/login" state={state}>
            Log in
          </Link>
        </p>
      </Stack>
    </Card>
  );
}

export default function SignupPage() {
  const { status } = useSession();
  const signup = useSignup();
  return (
    <Page>
      <Head title="Signup" description="Create an account to order tools and track your orders." path="/signup" />
      {status === 'signedIn' && !signup.busy ? <SignedInCard /> : <SignupForm {...signup} />}
    </Page>
  );
}
