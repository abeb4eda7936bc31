import type { ThunkDispatch, UnknownAction } from '@reduxjs/toolkit';
import { apiSlice } from '../api/apiSlice';
import { accessToken, clientSecrets, transientTokens } from '../api/tokens';
import { APP_MESSAGES } from '../contract/appMessages';
import { SESSION_MESSAGES } from '../contract/identityMessages';
import { failureOf } from '../contract/problem';
import type { IdentityConfig } from '../config';
import { assignDraftsTo, clearDrafts } from '../forms/drafts';
import { notify } from '../feedback/notify';
import { loadToastContainer } from '../feedback/Toasts';
import { browserStorage } from '../storage';
import { firebaseIdentity } from './firebaseIdentity';
import { signedIn, signedOut, type AuthState } from './authSlice';
import type { SessionCommands } from './hooks';
import { IdentityError, type Identity, type Person } from './identity';

export interface SessionStore {
  dispatch: ThunkDispatch<unknown, unknown, UnknownAction>;
  getState(): { auth: AuthState };
}

export interface SessionController {
  commands: Omit<SessionCommands, 'prepare'>;
  /** @returns false when there is nothing to renew. Rejects with the API's error when a later try may succeed. */
  renew(): Promise<boolean>;
  /** Another tab removed the access token: the user signed out there, or the session ended. */
  handleSignOutElsewhere(): void;
}

/** Response statuses of PUT /user that end the session. */
const SESSION_ENDING_STATUSES = [401, 403, 404, 409];
const RENEWAL_BEFORE_SIGN_OUT_MS = 1000;

const endsSession = (error: unknown) =>
  error instanceof IdentityError
    ? error.isSessionOver
    : SESSION_ENDING_STATUSES.some((status) => status === failureOf(error).status);

const asApiError = (error: unknown) =>
  error instanceof IdentityError ? { status: 'FETCH_ERROR', error: error.message } : error;

/** A call with an expired token cannot succeed. The server decides about all others. */
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

/** A storage key that is set and removed at once, to tell other tabs why the access token is about to be removed. */
const SIGNING_OUT = 'signingOut';
function notifyOtherTabs() {
  browserStorage.write(SIGNING_OUT, 'yes');
  browserStorage.remove(SIGNING_OUT);
}

/** The router's key of the current history entry. */
const historyKey = () => (window.history.state as { key?: string } | null)?.key ?? 'default';

/** The only place that connects the identity provider, the shop's tokens and the store. */
function createSessionController(identity: Identity, store: SessionStore): SessionController {
  let sessionsEnded = 0;
  let runningCommands = 0;
  /** The account was just created. The session starts when it has a name. */
  let isUnnamed = false;

  /** Another tab is about to remove the access token because the user signed out there. */
  let isSigningOutElsewhere = false;

  const auth = () => store.getState().auth;
  const { signUser, endSession } = apiSlice.endpoints;

  /** PUT /user/{email}: exchanges the provider's ID token for an access token of the shop. */
  async function exchangeIdToken(email: string) {
    const endedBefore = sessionsEnded;
    transientTokens.idToken = await identity.idToken();
    await store.dispatch(signUser.initiate(email, { track: false })).unwrap();
    if (endedBefore === sessionsEnded) return;
    accessToken.remove();
    throw new IdentityError(APP_MESSAGES.sessionEnded, true);
  }

  function signInLocally(person: Person) {
    assignDraftsTo(person.email);
    // Load it now, because it must show errors when the network fails.
    void loadToastContainer().catch(() => undefined);
    store.dispatch(signedIn(person));
  }

  /** The next user must not see the tokens and cached data of the previous user. */
  function signOutLocally(signedOutAtKey?: string) {
    sessionsEnded += 1;
    accessToken.remove();
    clientSecrets.clear();
    const wasSignedIn = auth().status === 'signedIn';
    store.dispatch(signedOut(signedOutAtKey));
    if (wasSignedIn) store.dispatch(apiSlice.util.resetApiState());
  }

  /** The notice replaces all toasts, because they are about the user who was signed in. */
  function signOutWithNotice() {
    const wasSignedIn = auth().status === 'signedIn' || accessToken.read() !== null;
    signOutLocally();
    if (wasSignedIn) notify.error(APP_MESSAGES.sessionEnded, true);
  }

  /** Ends `resolving` without a session. An existing session is kept. */
  function finishResolving() {
    if (auth().status === 'resolving') store.dispatch(signedOut(undefined));
  }

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

  /** The provider reports who is signed in: at the start, from another tab, or because it ended the session. */
  async function followProvider(person: Person | null) {
    // During a command, the command itself causes this report.
    if (runningCommands > 0 || isUnnamed) return;
    const current = auth();
    if (!person) return current.status === 'signedOut' ? undefined : signOutWithNotice();
    if (current.status === 'signedIn' && current.email === person.email) return;
    if (current.status === 'signedIn') signOutLocally(historyKey());
    try {
      if (!accessToken.read()) await exchangeIdToken(person.email);
      signInLocally(person);
    } catch (error) {
      if (endsSession(error)) signOutWithNotice();
      else finishResolving();
    }
  }

  async function run<T>(work: () => Promise<T>): Promise<T> {
    runningCommands += 1;
    try {
      return await work();
    } finally {
      runningCommands -= 1;
      finishResolving();
    }
  }

  async function startSession(person: Person) {
    await exchangeIdToken(person.email);
    isUnnamed = false;
    signInLocally(person);
  }

  /** If the shop refuses the user, the user is signed out at the provider too. */
  const signInWith = (method: () => Promise<Person>) =>
    run(async () => {
      const person = await method();
      await startSession(person).catch(async (error) => {
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
    await waitAtMost(RENEWAL_BEFORE_SIGN_OUT_MS, renewIfExpired());
    const token = (transientTokens.endedAccessToken = accessToken.read());
    notifyOtherTabs();
    signOutLocally(historyKey());
    isUnnamed = false;
    if (wasSignedIn) notify.success(SESSION_MESSAGES.signedOut, true);
    // Not awaited: the browser is signed out even without a network.
    if (token) void store.dispatch(endSession.initiate(undefined, { track: false }));
    await run(() => identity.signOut()).catch((error: Error) => notify.error(error.message));
  }

  window.addEventListener('storage', ({ key, newValue }) => {
    if (key === SIGNING_OUT && newValue) isSigningOutElsewhere = true;
  });
  identity.onChange((person) => void followProvider(person));
  return {
    renew,
    handleSignOutElsewhere() {
      clearDrafts();
      signOutLocally(historyKey());
      if (isSigningOutElsewhere) notify.success(SESSION_MESSAGES.signedOutElsewhere, true);
      else notify.error(APP_MESSAGES.sessionEnded, true);
      isSigningOutElsewhere = false;
    },
    commands: {
      signIn: (email, password) => signInWith(() => identity.signIn(email, password)),
      signInWithGoogle: () => signInWith(() => identity.signInWithGoogle()),
      signUp: (email, password) =>
        run(async () => {
          await identity.signUp(email, password);
          isUnnamed = true;
        }),
      rename: (displayName) => run(async () => startSession(await identity.rename(displayName))),
      resetPassword: (email) => run(() => identity.resetPassword(email)),
      signOut,
    },
  };
}

export const openSession = (config: IdentityConfig, store: SessionStore) =>
  createSessionController(firebaseIdentity(config), store);
