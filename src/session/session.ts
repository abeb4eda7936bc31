import type { ThunkDispatch, UnknownAction } from '@reduxjs/toolkit';
import { apiSlice } from '../api/apiSlice';
import { accessToken, clientSecrets, transientTokens } from '../api/tokens';
import { APP_MESSAGES } from '../contract/appMessages';
import { SESSION_MESSAGES } from '../contract/identityMessages';
import { isTransient } from '../contract/problem';
import type { AppConfig } from '../config';
import { assignDraftsTo, clearDrafts } from '../forms/drafts';
import { notify } from '../feedback/notify';
import { loadToastContainer } from '../feedback/Toasts';
import { browserStorage } from '../storage';
import { announceSignIn } from './announceSignIn';
import { createEmailVerification } from './emailVerification';
import { createFirebaseIdentity } from './firebaseIdentity';
import { signedIn, signedOut, type AuthState } from './authSlice';
import type { SessionCommands } from './hooks';
import { IdentityError, type Identity, type Person } from './identity';

export interface SessionStore {
  dispatch: ThunkDispatch<unknown, unknown, UnknownAction>;
  getState(): { auth: AuthState };
}

export interface SessionController {
  commands: Omit<SessionCommands, 'prepare'>;
  /**
   * Gets a new access token.
   * @returns false if there is no session, or if the session has ended
   * @throws the API's error if a later try may succeed
   */
  renew(): Promise<boolean>;
  /** Called when another tab has removed the access token, because the user signed out there or the session ended. */
  handleSignOutElsewhere(): void;
}

const MAX_RENEWAL_WAIT_MS = 1000;

const endsSession = (error: unknown) => (error instanceof IdentityError ? error.isSessionOver : !isTransient(error));

const asApiError = (error: unknown) =>
  error instanceof IdentityError ? { status: 'FETCH_ERROR', error: error.message } : error;

/** Whether the access token has expired, so that calls with it would fail. Unreadable tokens count as expired. */
function isExpired(token: string): boolean {
  try {
    const payload = atob(token.split('.')[1]!.replaceAll('-', '+').replaceAll('_', '/'));
    return !((JSON.parse(payload) as { exp: number }).exp * 1000 > Date.now());
  } catch {
    return true;
  }
}

const waitAtMost = (ms: number, work: Promise<unknown>) =>
  Promise.race([work.catch(() => undefined), new Promise((resolve) => setTimeout(resolve, ms))]);

/**
 * Other tabs see that the access token was removed, but not why. Setting this key before the removal shows them that
 * the user has signed out.
 */
const SIGNING_OUT = 'signingOut';
function announceSignOut() {
  browserStorage.write(SIGNING_OUT, 'yes');
  browserStorage.remove(SIGNING_OUT);
}

/** @returns the key that React Router has given to the current history entry */
const historyKey = () => (window.history.state as { key?: string } | null)?.key ?? 'default';

/** Connects the identity provider, the shop's tokens and the store. No other code knows all three. */
function createSessionController(identity: Identity, store: SessionStore): SessionController {
  let sessionsEnded = 0;
  let runningCommands = 0;
  /** Whether a new account has no name yet. Its session starts once it has a name. */
  let isUnnamed = false;

  /** Whether another tab is about to remove the access token because the user has signed out there. */
  let isSigningOutElsewhere = false;

  const auth = () => store.getState().auth;
  const { signInUser, endSession } = apiSlice.endpoints;

  /** Exchanges the identity provider's ID token for an access token of the shop (PUT /user/{email}). */
  async function exchangeIdToken(email: string, renewed = true) {
    const endedBefore = sessionsEnded;
    transientTokens.idToken = await identity.idToken(renewed);
    await store.dispatch(signInUser.initiate(email, { track: false })).unwrap();
    if (endedBefore === sessionsEnded) return;
    accessToken.remove();
    throw new IdentityError(APP_MESSAGES.sessionEnded, true);
  }

  function signInLocally(person: Person) {
    assignDraftsTo(person.email);
    // Loaded in advance, because it could not be loaded later to report that the network is down.
    void loadToastContainer().catch(() => undefined);
    store.dispatch(signedIn(person));
  }

  /** Removes tokens and cached data, so that the next user of this browser does not see them. */
  function signOutLocally(signedOutAtKey?: string) {
    sessionsEnded += 1;
    accessToken.remove();
    clientSecrets.clear();
    const wasSignedIn = auth().status === 'signedIn';
    store.dispatch(signedOut(signedOutAtKey));
    if (wasSignedIn) store.dispatch(apiSlice.util.resetApiState());
  }

  /** The toast about the end of the session replaces all others, because those are about the user who was signed in. */
  function signOutWithNotice() {
    const wasSignedIn = auth().status === 'signedIn' || accessToken.read() !== null;
    signOutLocally();
    if (wasSignedIn) notify.error(APP_MESSAGES.sessionEnded, true);
  }

  /** If no session was found at the start, the user is signed out. A session that exists is kept. */
  function finishResolving() {
    if (auth().status === 'resolving') store.dispatch(signedOut(undefined));
  }

  const verification = createEmailVerification({
    identity,
    store,
    exchangeIdToken,
    isBusy: () => runningCommands > 0,
  });

  async function renew() {
    const current = auth();
    if (current.status !== 'signedIn') return false;
    try {
      await exchangeIdToken(current.email);
      return true;
    } catch (error) {
      if (!endsSession(error)) throw asApiError(error);
      if (auth().status === 'signedIn') signOutWithNotice();
      return false;
    }
  }

  /**
   * Reacts to reports of the identity provider about the current user. They come at the start, after a change in
   * another tab, and when the provider has ended the session.
   */
  async function followProvider(person: Person | null) {
    // During a command, a report is only a result of the command, which handles it.
    if (runningCommands > 0 || isUnnamed) return;
    const current = auth();
    if (!person) return current.status === 'signedOut' ? undefined : signOutWithNotice();
    if (current.status === 'signedIn' && current.email === person.email) return;
    if (current.status === 'signedIn') signOutLocally(historyKey());
    try {
      if (!accessToken.read()) await exchangeIdToken(person.email);
      signInLocally(person);
      verification.checkQuietly();
    } catch (error) {
      if (endsSession(error)) signOutWithNotice();
      else finishResolving();
    }
  }

  async function runCommand<T>(work: () => Promise<T>): Promise<T> {
    runningCommands += 1;
    try {
      return await work();
    } finally {
      runningCommands -= 1;
      finishResolving();
    }
  }

  const runSignIn = (name: string, work: () => Promise<void>) => runCommand(() => announceSignIn(store, name, work));

  async function startSession(person: Person, renewed: boolean) {
    await exchangeIdToken(person.email, renewed);
    isUnnamed = false;
    signInLocally(person);
  }

  /** Signs in at the identity provider and then at the shop. If the shop's part fails, signs out at the provider. */
  const signInWith = (name: string, method: () => Promise<Person>) =>
    runSignIn(name, async () => {
      const person = await method();
      await startSession(person, false).catch(async (error) => {
        await identity.signOut();
        throw error;
      });
    });

  /** DELETE /session needs a valid token, so an expired one is renewed first. */
  async function renewIfExpired() {
    const current = auth();
    const token = accessToken.read();
    if (current.status === 'signedIn' && token !== null && isExpired(token)) await exchangeIdToken(current.email);
  }

  async function signOut() {
    clearDrafts();
    const wasSignedIn = auth().status === 'signedIn';
    await waitAtMost(MAX_RENEWAL_WAIT_MS, renewIfExpired());
    const token = (transientTokens.endedAccessToken = accessToken.read());
    announceSignOut();
    signOutLocally(historyKey());
    isUnnamed = false;
    if (wasSignedIn) notify.success(SESSION_MESSAGES.signedOut, true);
    // Not awaited, because the user is signed out here even if the request fails.
    if (token) void store.dispatch(endSession.initiate(undefined, { track: false }));
    await runCommand(() => identity.signOut()).catch((error: Error) => notify.error(error.message));
  }

  window.addEventListener('storage', ({ key, newValue }) => {
    if (key === SIGNING_OUT && newValue) isSigningOutElsewhere = true;
  });
  identity.onChange((person) => void followProvider(person));
  return {
    renew,
    handleSignOutElsewhere() {
      if (!isSigningOutElsewhere) return signOutWithNotice();
      isSigningOutElsewhere = false;
      clearDrafts();
      signOutLocally(historyKey());
      notify.success(SESSION_MESSAGES.signedOutElsewhere, true);
    },
    commands: {
      signIn: (email, password) => signInWith('password', () => identity.signIn(email, password)),
      signInWithGoogle: () => signInWith('google', () => identity.signInWithGoogle()),
      signUp: (email, password) =>
        runSignIn('signup', async () => {
          await identity.signUp(email, password);
          isUnnamed = true;
          void verification.sendLink(email).catch(() => undefined);
        }),
      rename: (displayName) => runSignIn('name', async () => startSession(await identity.rename(displayName), true)),
      requestPasswordReset: (email) => runCommand(() => identity.requestPasswordReset(email)),
      sendVerification: verification.sendLink,
      changePassword: (current, next) =>
        runCommand(async () => {
          await identity.changePassword(current, next);
          // The old access token has ended too. If this fails, the next request renews it.
          await renew().catch(() => undefined);
        }),
      signOut,
    },
  };
}

export const openSession = (config: AppConfig, store: SessionStore) =>
  createSessionController(createFirebaseIdentity(config), store);
