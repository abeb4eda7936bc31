import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import { Link, useLocation } from 'react-router-dom';
import { useConfig } from '../../config';
import { useSession } from '../../session/hooks';
import { useSessionActions } from '../../session/sessionActions';
import { TEXT } from '../../contract/limits';
import { Button } from '../../ui/Button';
import { FormField } from '../../ui/FormField';
import { Head } from '../../ui/Head';
import { Card, ErrorText, Page, PageTitle, Stack } from '../../ui/page';
import { useHydrated } from '../../ui/useHydrated';
import { useNavigateIfHere } from '../../ui/useNavigateIfHere';
import { LoginEmail, LoginPassword } from './credentialFields';
import { GoogleButton } from './GoogleButton';
import { nameRules } from './rules';
import { SignedInCard } from './SignedInCard';
import { useAttempt } from '../../forms/useAttempt';

interface Newcomer {
  name: string;
  email: string;
  password: string;
}

/** The account first, then its name: an account that is there is not made again when only the name failed. */
function useSignUp() {
  const { signUp, rename } = useSessionActions();
  const [hasAccount, setHasAccount] = useState(false);
  const create = async ({ name, email, password }: Newcomer) => {
    if (!hasAccount) await signUp(email.trim(), password);
    setHasAccount(true);
    await rename(name.trim());
  };
  return { hasAccount, create };
}

function SignupForm({ error, busy, run }: ReturnType<typeof useAttempt>) {
  const { identity } = useConfig();
  const { prepare, signInWithGoogle } = useSessionActions();
  const { hasAccount, create } = useSignUp();
  const { state } = useLocation();
  const navigate = useNavigateIfHere();
  const live = useHydrated();
  const form = useForm<Newcomer>();
  const goHome = () => void navigate('/');

  useEffect(prepare, [prepare]);

  return (
    <Card $narrow>
      <Stack $gap={5}>
        <PageTitle>Signup</PageTitle>
        {identity.google && (
          <GoogleButton disabled={!live || hasAccount} busy={busy} onClick={() => void run(signInWithGoogle, goHome)} />
        )}
        <form method="post" noValidate onSubmit={form.handleSubmit((newcomer) => run(() => create(newcomer), goHome))}>
          <Stack>
            <FormField
              form={form}
              name="name"
              label="Name"
              rules={nameRules}
              autoComplete="name"
              maxLength={TEXT.name}
            />
            <LoginEmail form={form} name="email" readOnly={hasAccount} />
            <LoginPassword form={form} name="password" autoComplete="new-password" readOnly={hasAccount} />
            <Button type="submit" wide disabled={!live} busy={busy}>
              {hasAccount ? 'Save the name' : 'Signup'}
            </Button>
            {error && <ErrorText>{error}</ErrorText>}
          </Stack>
        </form>
        <p>
          Have an account?{' '}
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
  const attempt = useAttempt();
  return (
    <Page>
      <Head title="Signup" description="Create an account to order tools and follow your orders." path="/signup" />
      {status === 'signedIn' && !attempt.busy ? <SignedInCard /> : <SignupForm {...attempt} />}
    </Page>
  );
}
