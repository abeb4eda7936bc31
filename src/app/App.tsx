import { useSyncExternalStore } from 'react';
import { useCheckAdminQuery } from '../api/apiSlice';
import { Layout } from '../ui/Layout';
import { RouteProgress } from '../ui/RouteProgress';
import { useSession } from '../session/hooks';
import { isAnyOnItsWay, watchParts } from './partsOnTheirWay';
import { Pages } from './Pages';
import { useSessionActions } from '../session/sessionActions';
import { Toasts } from '../feedback/Toasts';

export function App() {
  const session = useSession();
  const { signOut } = useSessionActions();
  useCheckAdminQuery(session.email, { skip: session.status !== 'signedIn' });
  const loading = useSyncExternalStore(watchParts, isAnyOnItsWay, () => false);
  return (
    <Layout session={session} onSignOut={signOut}>
      <RouteProgress active={loading} />
      <Pages />
      <Toasts />
    </Layout>
  );
}
