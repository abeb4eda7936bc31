import { initializeApp } from 'firebase/app';
import {
  connectAuthEmulator,
  getAdditionalUserInfo,
  initializeAuth,
  inMemoryPersistence,
  type Auth,
  type User,
  type UserCredential,
} from 'firebase/auth';

/** The embedded service or Google's emulator. */
export interface TestedService {
  url: string;
  projectId: string;
  /** Signs a credential as Google's account chooser would. */
  signGoogleCredential: (email: string, name: string) => Promise<string>;
  /** Finds the code of the newest link that was mailed to this email. */
  findCode: (email: string, requestType: 'VERIFY_EMAIL' | 'PASSWORD_RESET') => Promise<string>;
}

let openedCount = 0;

export function openBrowser({ url, projectId }: TestedService): Auth {
  const app = initializeApp({ apiKey: 'any', projectId }, `browser-${(openedCount += 1)}`);
  const auth = initializeAuth(app, { persistence: inMemoryPersistence });
  connectAuthEmulator(auth, url, { disableWarnings: true });
  return auth;
}

const isTime = (text?: string) => !Number.isNaN(Date.parse(text ?? ''));

export const describeUser = (user: User) => ({
  email: user.email,
  emailVerified: user.emailVerified,
  displayName: user.displayName,
  isAnonymous: user.isAnonymous,
  times: [isTime(user.metadata.creationTime), isTime(user.metadata.lastSignInTime)],
  providers: user.providerData.map(({ providerId, uid, email, displayName }) => ({
    providerId,
    uid,
    email,
    displayName,
  })),
});

export const describeSignIn = (result: UserCredential) => ({
  operation: result.operationType,
  providerId: result.providerId,
  isNewUser: getAdditionalUserInfo(result)?.isNewUser,
  profile: getAdditionalUserInfo(result)?.profile,
  user: describeUser(result.user),
});

/** Reads the claims of the ID token. Leaves out those that differ in every run. */
export async function describeClaims(user: User, projectId: string, renew = false) {
  const { claims, signInProvider } = await user.getIdTokenResult(renew);
  const { iss, aud, sub, user_id: userId, auth_time: authTime, iat, exp, ...rest } = claims;
  return {
    ...rest,
    signInProvider,
    projectMatches: [iss === `https://securetoken.google.com/${projectId}`, aud === projectId],
    userIdMatches: [sub === user.uid, userId === user.uid],
    lifetimeSeconds: Number(exp) - Number(iat),
    authTimeIsPast: Number(authTime) <= Number(iat),
  };
}
