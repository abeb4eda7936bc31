import { initializeApp } from 'firebase/app';
import {
  browserLocalPersistence,
  browserPopupRedirectResolver,
  connectAuthEmulator,
  createUserWithEmailAndPassword,
  GoogleAuthProvider,
  initializeAuth,
  onAuthStateChanged,
  sendPasswordResetEmail,
  signInWithCredential,
  signInWithEmailAndPassword,
  signInWithPopup,
  signOut,
  updateProfile,
  type Auth,
  type User,
} from 'firebase/auth';
import {
  COMMON_PASSWORD,
  GOOGLE_UNREACHABLE,
  IDENTITY_FALLBACK,
  IDENTITY_SENTENCES,
} from '../contract/identityMessages';
import { SPEC_MESSAGES } from '../contract/specMessages';
import { keptName } from '../contract/displayName';
import { chooseLocalAccount } from './localGoogleChooser';
import type { IdentityConfig } from '../config';
import { IdentityError, type Identity, type Person } from './identity';

/** The stand-ins look at no key, and the SDK wants one. */
const NO_KEY = 'forgeline';
const ENDED = [
  'auth/user-token-expired',
  'auth/user-disabled',
  'auth/user-not-found',
  'auth/invalid-user-token',
  'auth/invalid-refresh-token',
  'auth/null-user',
];

const personOf = ({ displayName, email }: User): Person => ({
  displayName: keptName(displayName ?? ''),
  email: email ?? '',
});

function connect(config: IdentityConfig): Auth {
  const { kind: _, google: __, ...options } = { apiKey: NO_KEY, ...config };
  const app = initializeApp(options);
  const auth = initializeAuth(app, { persistence: browserLocalPersistence });
  const standIn = { embedded: location.origin, emulator: config.kind === 'emulator' && `http://${config.host}` };
  const origin = config.kind !== 'firebase' && standIn[config.kind];
  if (origin) connectAuthEmulator(auth, origin, { disableWarnings: true });
  return auth;
}

async function inWords<T>(work: Promise<T>, sentences = IDENTITY_SENTENCES): Promise<T> {
  return work.catch((error: { code?: string; message?: string }) => {
    const { code = '', message = '' } = error;
    const sentence = message.includes(COMMON_PASSWORD) ? COMMON_PASSWORD : sentences[code];
    throw error instanceof IdentityError
      ? error
      : new IdentityError(sentence ?? IDENTITY_FALLBACK, ENDED.includes(code));
  });
}

/** All that the SDK says when it cannot load the part that opens Google's window. */
const GOOGLE_SENTENCES = { ...IDENTITY_SENTENCES, 'auth/internal-error': GOOGLE_UNREACHABLE };

async function withGoogle(auth: Auth, kind: IdentityConfig['kind']) {
  if (kind !== 'embedded') return signInWithPopup(auth, new GoogleAuthProvider(), browserPopupRedirectResolver);
  return signInWithCredential(auth, GoogleAuthProvider.credential(await chooseLocalAccount()));
}

/** Firebase itself, Google's emulator or the embedded service: the same SDK speaks to each. */
export function firebaseIdentity(config: IdentityConfig): Identity {
  const auth = connect(config);
  auth.useDeviceLanguage();
  const someone = () => auth.currentUser ?? Promise.reject(new IdentityError(SPEC_MESSAGES.noUser, true));
  const signed = async (work: Promise<{ user: User }>) => personOf((await work).user);

  async function rename(displayName: string) {
    const user = await someone();
    await updateProfile(user, { displayName });
    return personOf(user);
  }

  return {
    signUp: (email, password) => inWords(signed(createUserWithEmailAndPassword(auth, email, password))),
    signIn: (email, password) => inWords(signed(signInWithEmailAndPassword(auth, email, password))),
    signInWithGoogle: () => inWords(signed(withGoogle(auth, config.kind)), GOOGLE_SENTENCES),
    rename: (displayName) => inWords(rename(displayName)),
    resetPassword: (email) => inWords(sendPasswordResetEmail(auth, email)),
    signOut: () => inWords(signOut(auth)),
    onChange: (listener) => void onAuthStateChanged(auth, (user) => listener(user && personOf(user))),
    idToken: () => inWords(Promise.resolve(someone()).then((user) => user.getIdToken(true))),
  };
}
