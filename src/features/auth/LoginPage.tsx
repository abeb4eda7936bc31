import { useEffect } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { useConfig } from '../../config';
import { toastTextOf } from '../../contract/toastText';
import { useSubmitForm } from '../../forms/useSubmitForm';
import { useSession, useSessionCommands } from '../../session/hooks';
import { Button } from '../../ui/Button';
import { Head } from '../../ui/Head';
import { Card, ErrorText, Page, PageTitle, Stack } from '../../ui/page';
import { useHydrated } from '../../ui/useHydrated';
import { useNavigateWhileMounted } from '../../ui/useNavigateWhileMounted';
import { FIELD_OF_MESSAGE, LoginEmail, LoginPassword } from './credentialFields';
import { DemoBox } from './DemoBox';
import { ForgottenPassword } from './ForgottenPassword';
import { GoogleButton } from './GoogleButton';
import { HOME_PATH, readReturnPath } from './returnPath';
import { SignedInCard } from './SignedInCard';
import { ToolToOrder } from './ToolToOrder';

const AFTER_LOGIN = { afterLogin: true };
const BLANK = { email: '', password: '' };

function useLogin() {
  const { signIn, signInWithGoogle } = useSessionCommands();
  const { state } = useLocation();
  const navigate = useNavigateWhileMounted();
  const leave = () => {
    const path = readReturnPath(state);
    void navigate(path, { replace: true, state: path === HOME_PATH ? AFTER_LOGIN : undefined });
  };
  const login = useSubmitForm({
    defaults: BLANK,
    send: async ({ email, password }) => {
      await signIn(email.trim(), password);
      return { leave };
    },
    fieldOfMessage: FIELD_OF_MESSAGE,
    onFailure: toastTextOf,
  });
  const withGoogle = async () => {
    await signInWithGoogle();
    return { leave };
  };
  return { ...login, loginWithGoogle: () => void login.runUnlessBusy(withGoogle) };
}

function LoginForm({ form, error, busy, runUnlessBusy, submit, loginWithGoogle }: ReturnType<typeof useLogin>) {
  const { identity, demo, demoPassword } = useConfig();
  const { prepare } = useSessionCommands();
  const { state } = useLocation();
  const isHydrated = useHydrated();

  useEffect(prepare, [prepare]);

  return (
    <Card $narrow>
      <Stack $gap={5}>
        <PageTitle>Login</PageTitle>
        <ToolToOrder state={state} />
        {identity.google && <GoogleButton disabled={!isHydrated} busy={busy} onClick={loginWithGoogle} />}
        <form method="post" noValidate onSubmit={submit}>
          <Stack>
            <LoginEmail form={form} name="email" />
            <LoginPassword form={form} name="password" autoComplete="current-password" />
            <Button type="submit" wide disabled={!isHydrated} busy={busy}>
              Log in
            </Button>
            {error && <ErrorText>{error}</ErrorText>}
          </Stack>
        </form>
        <ForgottenPassword email={() => form.getValues('email').trim()} runUnlessBusy={runUnlessBusy} />
        <p>
          New to Forgeline?{' '}
          <Link to="/signup" state={state}>
            Create an account
          </Link>
        </p>
        {demo && identity.kind === 'embedded' && (
          <DemoBox password={demoPassword} onChoose={(account) => form.reset(account)} />
        )}
      </Stack>
    </Card>
  );
}

export default function LoginPage() {
  const { status } = useSession();
  const login = useLogin();
  return (
    <Page>
      <Head title="Login" description="Log in to order tools and track your orders." path="/login" />
      {status === 'signedIn' && !login.busy ? <SignedInCard /> : <LoginForm {...login} />}
    </Page>
  );
}
