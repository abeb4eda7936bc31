import { initializeApp } from 'firebase/app';
import {
  browserLocalPersistence,
  browserPopupRedirectResolver,
  connectAuthEmulator,
  createUserWithEmailAndPassword,
  EmailAuthProvider,
  GoogleAuthProvider,
  initializeAuth,
  onAuthStateChanged,
  reauthenticateWithCredential,
  reload,
  sendEmailVerification,
  sendPasswordResetEmail,
  signInWithCredential,
  signInWithEmailAndPassword,
  signInWithPopup,
  signOut,
  updatePassword,
  updateProfile,
  type Auth,
  type User,
} from 'firebase/auth';
import {
  COMMON_PASSWORD_MESSAGE,
  GOOGLE_UNREACHABLE,
  IDENTITY_FALLBACK,
  IDENTITY_MESSAGES,
  LINK_FALLBACK,
  LINK_MESSAGES,
  PASSWORD_CHANGED_LOGIN_FAILED,
  PASSWORD_CHANGE_FALLBACK,
  PASSWORD_CHANGE_MESSAGES,
} from '../contract/identityMessages';
import { SPEC_MESSAGES } from '../contract/specMessages';
import { toStorableName } from '../contract/displayName';
import { chooseLocalAccount } from './localGoogleChooser';
import type { AppConfig, IdentityConfig } from '../config';
import { IdentityError, type Identity, type Person } from './identity';

/** The SDK requires an API key, but the embedded service and the emulator ignore its value. */
const PLACEHOLDER_API_KEY = 'forgeline';
const SESSION_OVER_CODES = [
  'auth/user-token-expired',
  'auth/user-disabled',
  'auth/user-not-found',
  'auth/invalid-user-token',
  'auth/invalid-refresh-token',
  'auth/null-user',
];

const personOf = ({ displayName, email, emailVerified, providerData }: User): Person => ({
  displayName: toStorableName(displayName ?? ''),
  email: email ?? '',
  emailVerified,
  hasPassword: providerData.some(({ providerId }) => providerId === 'password'),
});

function initializeFirebaseAuth(config: IdentityConfig): Auth {
  const { kind: _, google: __, ...options } = { apiKey: PLACEHOLDER_API_KEY, ...config };
  const app = initializeApp(options);
  const auth = initializeAuth(app, { persistence: browserLocalPersistence });
  const emulatorOrigins = {
    firebase: undefined,
    embedded: location.origin,
    emulator: config.kind === 'emulator' && `http://${config.host}`,
  };
  const origin = emulatorOrigins[config.kind];
  if (origin) connectAuthEmulator(auth, origin, { disableWarnings: true });
  return auth;
}

async function withUserMessage<T>(
  work: Promise<T>,
  messages = IDENTITY_MESSAGES,
  fallback = IDENTITY_FALLBACK,
): Promise<T> {
  return work.catch((error: { code?: string; message?: string }) => {
    const { code = '', message = '' } = error;
    const userMessage = message.includes(COMMON_PASSWORD_MESSAGE) ? COMMON_PASSWORD_MESSAGE : messages[code];
    throw error instanceof IdentityError
      ? error
      : new IdentityError(userMessage ?? fallback, SESSION_OVER_CODES.includes(code), code);
  });
}

/** During sign-in with Google, `auth/internal-error` means that the SDK could not load the code for Google's window. */
const GOOGLE_MESSAGES = { ...IDENTITY_MESSAGES, 'auth/internal-error': GOOGLE_UNREACHABLE };

async function signInToGoogle(auth: Auth, kind: IdentityConfig['kind']) {
  if (kind !== 'embedded') return signInWithPopup(auth, new GoogleAuthProvider(), browserPopupRedirectResolver);
  return signInWithCredential(auth, GoogleAuthProvider.credential(await chooseLocalAccount()));
}

/** The adapter for Firebase's SDK. It also connects to Firebase's emulator and to the embedded service. */
export function createFirebaseIdentity({ identity: config, origin }: AppConfig): Identity {
  const auth = initializeFirebaseAuth(config);
  auth.useDeviceLanguage();
  const requireUser = () => auth.currentUser ?? Promise.reject(new IdentityError(SPEC_MESSAGES.noUser, true));
  const signedInPerson = async (work: Promise<{ user: User }>) => personOf((await work).user);

  async function rename(displayName: string) {
    const user = await requireUser();
    await updateProfile(user, { displayName });
    return personOf(user);
  }

  async function requestPasswordReset(email: string) {
    await sendPasswordResetEmail(auth, email, { url: `${origin}/login` }).catch((error: { code?: string }) => {
      if (error.code !== 'auth/user-not-found') throw error;
    });
  }

  async function sendVerification() {
    await sendEmailVerification(await requireUser(), { url: `${origin}/` });
  }

  async function reloadPerson() {
    const user = await requireUser();
    const { claims } = await user.getIdTokenResult();
    if (!claims.email_verified) await reload(user);
    return { person: personOf(user), isTokenOutdated: user.emailVerified && !claims.email_verified };
  }

  /**
   * Firebase accepts a new password only shortly after a login, so this logs in with the current one first. It logs in
   * with the new one afterwards, because the SDK keeps the old refresh token, which has ended, if its new ID token
   * equals the old one. ID tokens of the same second do.
   */
  async function changePassword(current: string, next: string) {
    const user = await requireUser();
    const email = user.email!;
    await reauthenticateWithCredential(user, EmailAuthProvider.credential(email, current));
    await updatePassword(user, next);
    await signInWithEmailAndPassword(auth, email, next).catch(() => {
      throw new IdentityError(PASSWORD_CHANGED_LOGIN_FAILED);
    });
  }

  return {
    signUp: (email, password) => withUserMessage(signedInPerson(createUserWithEmailAndPassword(auth, email, password))),
    signIn: (email, password) => withUserMessage(signedInPerson(signInWithEmailAndPassword(auth, email, password))),
    signInWithGoogle: () => withUserMessage(signedInPerson(signInToGoogle(auth, config.kind)), GOOGLE_MESSAGES),
    rename: (displayName) => withUserMessage(rename(displayName)),
    requestPasswordReset: (email) => withUserMessage(requestPasswordReset(email), IDENTITY_MESSAGES, LINK_FALLBACK),
    sendVerification: () => withUserMessage(sendVerification(), LINK_MESSAGES, LINK_FALLBACK),
    reload: () => withUserMessage(reloadPerson()),
    changePassword: (current, next) =>
      withUserMessage(changePassword(current, next), PASSWORD_CHANGE_MESSAGES, PASSWORD_CHANGE_FALLBACK),
    signOut: () => withUserMessage(signOut(auth)),
    onChange: (listener) => void onAuthStateChanged(auth, (user) => listener(user && personOf(user))),
    idToken: (renewed) => withUserMessage(Promise.resolve(requireUser()).then((user) => user.getIdToken(renewed))),
  };
}
