import { accessToken } from '../api/tokens';
import { IDENTITY_UNREACHABLE } from '../contract/appMessages';
import { notify } from '../feedback/notify';
import type { AppConfig } from '../config';
import { browserStorage } from '../storage';
import { signedOut } from './authSlice';
import { IdentityError } from './identity';
import type { SessionController, SessionStore } from './session';

interface SessionChunk {
  openSession(config: AppConfig, store: SessionStore): SessionController;
}

const COMMANDS = [
  'signIn',
  'signUp',
  'rename',
  'signInWithGoogle',
  'requestPasswordReset',
  'sendVerification',
  'changePassword',
  'signOut',
] as const;

const wasSignedIn = () =>
  accessToken.read() !== null || browserStorage.keys().some((key) => key.startsWith('firebase:authUser:'));

/**
 * The session's code and the identity provider's SDK are in one chunk. It is loaded at the start only if someone was
 * signed in before. Otherwise it is loaded when someone signs in.
 */
export function createLazySession(load: () => Promise<SessionChunk>, config: AppConfig) {
  let store: SessionStore;
  let session: SessionController | undefined;
  let loading: Promise<SessionController> | undefined;

  const loadSession = () =>
    (loading ??= load().then(
      ({ openSession }) => (session = openSession(config, store)),
      () => {
        loading = undefined;
        throw new IdentityError(IDENTITY_UNREACHABLE);
      },
    ));

  async function resumeSession() {
    await loadSession().catch((error: IdentityError) => {
      notify.error(error.message);
      if (store.getState().auth.status === 'resolving') store.dispatch(signedOut(undefined));
    });
  }

  /** When someone signs in or out in another tab, that tab changes the access token in localStorage. */
  function followOtherTabs({ key, newValue }: StorageEvent) {
    if (key !== 'accessToken' && key !== null) return;
    const { status } = store.getState().auth;
    if (newValue === null && status === 'signedIn') session?.handleSignOutElsewhere();
    if (newValue !== null && status === 'signedOut') void resumeSession();
  }

  /** Each command of the session first loads the chunk. */
  const commands = Object.fromEntries(
    COMMANDS.map((name) => [name, async (...args: [string, string]) => (await loadSession()).commands[name](...args)]),
  ) as unknown as SessionController['commands'];

  function start(appStore: SessionStore) {
    store = appStore;
    window.addEventListener('storage', followOtherTabs);
    if (wasSignedIn()) void resumeSession();
    else store.dispatch(signedOut(undefined));
  }

  const prepare = () => void loadSession().catch(() => undefined);
  return { commands: { ...commands, prepare }, start, renew: async () => session?.renew() ?? false };
}

export type LazySession = ReturnType<typeof createLazySession>;
