import { useSyncExternalStore } from 'react';
import { useCheckAdminQuery } from '../api/apiSlice';
import { Layout } from '../ui/Layout';
import { RouteProgress } from '../ui/RouteProgress';
import { useSession, useSessionCommands } from '../session/hooks';
import { hasPendingChunk, watchPendingChunks } from './lazyPage';
import { Pages } from './Pages';
import { ResendBar } from './ResendBar';
import { Toasts } from '../feedback/Toasts';

export function App() {
  const session = useSession();
  const { signOut } = useSessionCommands();
  useCheckAdminQuery(session.email, { skip: session.status !== 'signedIn' });
  const loading = useSyncExternalStore(watchPendingChunks, hasPendingChunk, () => false);
  return (
    <Layout session={session} onSignOut={signOut}>
      <RouteProgress active={loading} />
      <Pages />
      <Toasts />
      <ResendBar />
    </Layout>
  );
}
