import { useLocation } from 'react-router-dom';
import { useSession, useSessionCommands } from '../../session/hooks';
import { PAGE_MESSAGES } from '../../contract/pageMessages';
import { Button, ButtonLink } from '../../ui/Button';
import { Card, ErrorText, PageTitle, Stack } from '../../ui/page';

/** Replaces the login and signup forms for a user who is already signed in. */
export function SignedInCard() {
  const { displayName, email, isAdmin } = useSession();
  const { signOut } = useSessionCommands();
  const { state } = useLocation() as { state: { needs?: string } | null };
  return (
    <Card $narrow>
      <Stack>
        <PageTitle>You're logged in</PageTitle>
        {state?.needs === 'admin' && !isAdmin && <ErrorText>{PAGE_MESSAGES.adminsOnly}</ErrorText>}
        <p>
          {displayName && (
            <>
              <bdi>{displayName}</bdi>
              {', '}
            </>
          )}
          {email}
        </p>
        <ButtonLink to="/dashboard" wide>
          Go to the dashboard
        </ButtonLink>
        <Button variant="quiet" wide onClick={() => void signOut()}>
          Use another account
        </Button>
      </Stack>
    </Card>
  );
}
