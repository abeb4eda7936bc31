import type { ReactNode } from 'react';
import { Navigate, useLocation } from 'react-router-dom';
import { useCheckAdminQuery } from '../api/apiSlice';
import { isRefused } from '../contract/problem';
import { Spinner } from '../ui/Spinner';
import { useSession } from '../session/hooks';
import type { Access } from './routes';

/** Waits while the session resolves; then shows the page, or sends to /login, which knows the way back unless one left. */
export function RequireAccess({ access, children }: { access: Access; children: ReactNode }) {
  const { status, admin, email, leftAt } = useSession();
  const { key, pathname, search } = useLocation();
  const asks = access === 'admin' && status === 'signedIn';
  const answer = useCheckAdminQuery(email, { skip: !asks });
  const back = leftAt === key ? { from: '/' } : { from: pathname + search, needs: access };
  const toLogin = <Navigate to="/login" replace state={back} />;

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
  // The dashboard around it says so.
  if (answer.isError) return null;
  return waiting;
}
