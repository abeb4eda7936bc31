import type { ReactNode } from 'react';
import { Navigate, useLocation } from 'react-router-dom';
import { useCheckAdminQuery } from '../api/apiSlice';
import { failureOf } from '../contract/problem';
import { Failed } from '../ui/Notice';
import { Spinner } from '../ui/Spinner';
import { useSession } from './hooks';
import type { Access } from './routes';

/** An answer of the shop, unlike none at all. */
const isRefused = (error: unknown) => Number(failureOf(error).status) < 500;

/** Waits while the session resolves; then shows the page, or sends to /login, which knows the way back. */
export function Guarded({ access, children }: { access: Access; children: ReactNode }) {
  const { status, admin, email } = useSession();
  const { pathname, search } = useLocation();
  const asks = access === 'admin' && status === 'signedIn';
  const answer = useCheckAdminQuery(email, { skip: !asks });
  const toLogin = <Navigate to="/login" replace state={{ from: pathname + search, needs: access }} />;

  const waiting = (
    <>
      <title>Forgeline</title>
      <Spinner />
    </>
  );

  if (access === 'all') return children;
  if (status === 'resolving') return waiting;
  if (status === 'signedOut') return toLogin;
  if (access === 'signedIn' || admin === 'admin') return children;
  if (admin === 'member' || isRefused(answer.error)) return toLogin;
  if (answer.isError) return <Failed error={answer.error} onRetry={() => void answer.refetch()} />;
  return waiting;
}
