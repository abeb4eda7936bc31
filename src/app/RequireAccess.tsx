import type { ReactNode } from 'react';
import { Navigate, useLocation } from 'react-router-dom';
import { useCheckAdminQuery } from '../api/apiSlice';
import { isTransient } from '../contract/problem';
import { Spinner } from '../ui/Spinner';
import { useSession } from '../session/hooks';
import type { Access } from './routes';

/**
 * Redirects users without access to /login. After signing in, they return to this page, unless they had signed out
 * on it.
 */
export function RequireAccess({ access, children }: { access: Access; children: ReactNode }) {
  const { status, admin, email, signedOutAtKey } = useSession();
  const { key, pathname, search } = useLocation();
  const needsAdminCheck = access === 'admin' && status === 'signedIn';
  const adminCheck = useCheckAdminQuery(email, { skip: !needsAdminCheck });
  const returnState = signedOutAtKey === key ? { from: '/' } : { from: pathname + search, needs: access };
  const toLogin = <Navigate to="/login" replace state={returnState} />;

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
  if (admin === 'member' || (adminCheck.isError && !isTransient(adminCheck.error))) return toLogin;
  // The surrounding `DashboardLayout` shows the error.
  if (adminCheck.isError) return null;
  return waiting;
}
