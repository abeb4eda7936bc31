import { useEffect } from 'react';
import { useForm } from 'react-hook-form';
import { Link, useLocation } from 'react-router-dom';
import { useConfig } from '../../config';
import { useSession } from '../../session/hooks';
import { useSessionActions } from '../../session/sessionActions';
import { Button } from '../../ui/Button';
import { Head } from '../../ui/Head';
import { Card, ErrorText, Page, PageTitle, Stack } from '../../ui/page';
import { useHydrated } from '../../ui/useHydrated';
import { useNavigateIfHere } from '../../ui/useNavigateIfHere';
import { LoginEmail, LoginPassword } from './credentialFields';
import { DemoBox } from './DemoBox';
import { ForgottenPassword } from './ForgottenPassword';
import { GoogleButton } from './GoogleButton';
import { returnPath } from './returnPath';
import { SignedInCard } from './SignedInCard';
import { useAttempt } from '../../forms/useAttempt';

interface Credentials {
  email: string;
  password: string;
}

function LoginForm({ error, busy, run }: ReturnType<typeof useAttempt>) {
  const { identity, demo } = useConfig();
  const { prepare, signIn, signInWithGoogle } = useSessionActions();
  const { state } = useLocation();
  const navigate = useNavigateIfHere();
  const live = useHydrated();
  const form = useForm<Credentials>();
  const goBack = () => void navigate(returnPath(state), { replace: true });

  useEffect(prepare, [prepare]);

  return (
    <Card $narrow>
      <Stack $gap={5}>
        <PageTitle>Login</PageTitle>
        {identity.google && (
          <GoogleButton disabled={!live} busy={busy} onClick={() => void run(signInWithGoogle, goBack)} />
        )}
        <form
          method="post"
          noValidate
          onSubmit={form.handleSubmit(({ email, password }) => run(() => signIn(email.trim(), password), goBack))}
        >
          <Stack>
            <LoginEmail form={form} name="email" />
            <LoginPassword form={form} name="password" autoComplete="current-password" />
            <Button type="submit" wide disabled={!live} busy={busy}>
              Login
            </Button>
            {error && <ErrorText>{error}</ErrorText>}
          </Stack>
        </form>
        <ForgottenPassword email={() => form.getValues('email').trim()} />
        <p>
          New to Forgeline?{' '}
          <Link to="/signup" state={state}>
            Create an account
          </Link>
        </p>
        {demo && identity.kind === 'embedded' && <DemoBox onChoose={(account) => form.reset(account)} />}
      </Stack>
    </Card>
  );
}

export default function LoginPage() {
  const { status } = useSession();
  const attempt = useAttempt();
  return (
    <Page>
      <Head title="Login" description="Log in to order tools and follow your orders." path="/login" />
      {status === 'signedIn' && !attempt.busy ? <SignedInCard /> : <LoginForm {...attempt} />}
    </Page>
  );
}
