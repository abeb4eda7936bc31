import type { JWK } from 'jose';
import type { FastifyPluginAsync } from 'fastify';
import { ensureAccount, type NewAccount } from './accounts';
import { accountStatus, type AccountStatus } from './idTokens';
import { createKeyCache } from './keyCache';
import { getPublicKeys } from './signingKeys';
import { createCommonPasswordCheck, hashPassword } from './passwords';
import { identityPlugin } from './identityPlugin';
import type { FirebaseAuthOptions, IdentityService } from './service';

export { removeAccounts, unverifyGoogleAccounts } from './accounts';
export { readAccountData, removeAccount } from './personalData';
export { PROJECT_ID, type FirebaseAuthOptions, type LinkMail } from './service';

export interface FirebaseAuth {
  plugin: FastifyPluginAsync;
  /** Finds the public key that checks an ID token, without an HTTP request. */
  findKey(kid: string): Promise<JWK | undefined>;
  /** Reports whether `accounts:lookup` would accept an ID token whose signature is already verified. */
  accountStatus(localId: string, idToken: string): Promise<AccountStatus>;
  /**
   * Creates an account unless one with this email exists. An existing account is not changed.
   * @param hash replaces `hashPassword`, so that several accounts can share the cost of one hash
   * @returns the account's id
   */
  ensureAccount(account: NewAccount, hash?: (password: string) => Promise<string>): Promise<string>;
  hashPassword(password: string): Promise<string>;
}

/** Creates a Firebase-compatible identity service for the unmodified browser SDK. */
export function createFirebaseAuthServer(options: FirebaseAuthOptions): FirebaseAuth {
  const { db, passwordCost, folder, now = () => new Date() } = options;
  const service: IdentityService = { ...options, now, isCommonPassword: createCommonPasswordCheck(folder) };
  const hashOf = (password: string) => hashPassword(password, passwordCost);
  return {
    plugin: identityPlugin(service),
    findKey: createKeyCache(() => getPublicKeys(service)),
    accountStatus: (localId, idToken) => accountStatus(db, localId, idToken),
    ensureAccount: (account, hash = hashOf) => ensureAccount(service, account, hash),
    hashPassword: hashOf,
  };
}
