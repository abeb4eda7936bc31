import { accessToken } from '../api/tokens';
import { IDENTITY_UNREACHABLE } from '../contract/appMessages';
import { notify } from '../feedback/notify';
import type { IdentityConfig } from '../config';
import { browserStorage } from '../storage';
import { signedOut } from './authSlice';
import { IdentityError } from './identity';
import type { SessionController, SessionStore } from './session';

interface SessionChunk {
  openSession(config: IdentityConfig, store: SessionStore): SessionController;
}

const COMMANDS = ['signIn', 'signUp', 'rename', 'signInWithGoogle', 'resetPassword', 'signOut'] as const;

const wasSignedIn = () =>
  accessToken.read() !== null || browserStorage.keys().some((key) => key.startsWith('firebase:authUser:'));

/**
 * The session without its code, which comes in one chunk with the identity provider's: when someone was signed in here
 * before, and otherwise when someone is about to sign in.
 */
export function lazySession(load: () => Promise<SessionChunk>, config: IdentityConfig) {
  let store: SessionStore;
  let session: SessionController | undefined;
  let loading: Promise<SessionController> | undefined;

  const whenLoaded = () =>
    (loading ??= load().then(
      ({ openSession }) => (session = openSession(config, store)),
      () => {
        loading = undefined;
        throw new IdentityError(IDENTITY_UNREACHABLE);
      },
    ));

  async function resume() {
    await whenLoaded().catch((error: IdentityError) => {
      notify.error(error.message);
      if (store.getState().auth.status === 'resolving') store.dispatch(signedOut(undefined));
    });
  }

  /** Another tab keeps or forgets the access token. */
  function followOtherTabs({ key, newValue }: StorageEvent) {
    if (key !== 'accessToken' && key !== null) return;
    const { status } = store.getState().auth;
    if (newValue === null && status === 'signedIn') session?.endedElsewhere();
    if (newValue !== null && status === 'signedOut') void resume();
  }

  /** Commands of the same names, which load the session first. */
  const commands = Object.fromEntries(
    COMMANDS.map((name) => [name, async (...given: [string, string]) => (await whenLoaded()).commands[name](...given)]),
  ) as unknown as SessionController['commands'];

  function start(given: SessionStore) {
    store = given;
    window.addEventListener('storage', followOtherTabs);
    if (wasSignedIn()) void resume();
    else store.dispatch(signedOut(undefined));
  }

  const prepare = () => void whenLoaded().catch(() => undefined);
  return { commands: { ...commands, prepare }, start, renew: async () => session?.renew() ?? false };
}

export type LazySession = ReturnType<typeof lazySession>;
