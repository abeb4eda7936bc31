import { LINK_JUST_SENT, SESSION_MESSAGES } from '../contract/identityMessages';
import { notify } from '../feedback/notify';
import { emailVerified } from './authSlice';
import { IdentityError, type Identity } from './identity';
import type { SessionStore } from './session';

const MIN_LINK_INTERVAL_MS = 60_000;

interface Session {
  identity: Identity;
  store: SessionStore;
  exchangeIdToken(email: string): Promise<void>;
  /** Whether a command is running. It may be about to end the session. */
  isBusy(): boolean;
}

/** Sends links that verify the user's email, and notices when the user has opened one. */
export function createEmailVerification({ identity, store, exchangeIdToken, isBusy }: Session) {
  let lastLink = { email: '', sentAt: 0 };
  let checking: Promise<void> | undefined;

  async function sendLink(email: string) {
    if (lastLink.email === email && Date.now() - lastLink.sentAt < MIN_LINK_INTERVAL_MS)
      throw new IdentityError(LINK_JUST_SENT);
    await identity.sendVerification();
    lastLink = { email, sentAt: Date.now() };
  }

  /** After the user has opened the link, a new ID token tells the shop. */
  async function check() {
    const { auth } = store.getState();
    if (auth.status !== 'signedIn' || isBusy()) return;
    const { person, isTokenOutdated } = await identity.reload();
    if (!person.emailVerified || (auth.emailVerified && !isTokenOutdated)) return;
    await exchangeIdToken(person.email);
    store.dispatch(emailVerified());
    notify.success(SESSION_MESSAGES.emailVerified);
  }

  /** A check that fails is repeated at the next look at the page. */
  const checkQuietly = () =>
    void (checking ??= check()
      .catch(() => undefined)
      .finally(() => (checking = undefined)));
  window.addEventListener('focus', checkQuietly);
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && checkQuietly());
  return { sendLink, checkQuietly };
}
