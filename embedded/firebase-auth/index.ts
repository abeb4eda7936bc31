import type { JWK } from 'jose';
import type { FastifyPluginAsync } from 'fastify';
import { ensureAccount, type NewAccount } from './accounts';
import { accountStatus, type AccountStatus } from './idTokens';
import { createKeyCache } from './keyCache';
import { getPublicKeys } from './signingKeys';
import { replacePassword } from './calls/resetPassword';
import { createCommonPasswordCheck } from './passwords';
import { identityPlugin } from './identityPlugin';
import type { FirebaseAuthOptions, IdentityService } from './service';

export { removeAccounts, unverifyGoogleAccounts } from './accounts';
export { readAccountData, removeAccountsOf } from './personalData';
export { PROJECT_ID, type FirebaseAuthOptions, type LinkMail } from './service';

export interface FirebaseAuth {
  plugin: FastifyPluginAsync;
  /** Finds the public key that checks an ID token, without an HTTP request. */
  findKey(kid: string): Promise<JWK | undefined>;
  /** Reports whether `accounts:lookup` would accept an ID token whose signature is already verified. */
  accountStatus(localId: string, idToken: string): Promise<AccountStatus>;
  /**
   * Creates an account unless one with this email exists. An existing account is not changed.
   * @returns the account's id
   */
  ensureAccount(account: NewAccount): Promise<string>;
  /** Replaces the account's password and ends its sessions, if its password still is `from`. */
  replacePassword(localId: string, from: string, to: string): Promise<void>;
}

/** Creates a Firebase-compatible identity service for the unmodified browser SDK. */
export function createFirebaseAuthServer(options: FirebaseAuthOptions): FirebaseAuth {
  const { db, folder, now = () => new Date() } = options;
  const service: IdentityService = { ...options, now, isCommonPassword: createCommonPasswordCheck(folder) };
  return {
    plugin: identityPlugin(service),
    findKey: createKeyCache(() => getPublicKeys(service)),
    accountStatus: (localId, idToken) => accountStatus(db, localId, idToken),
    ensureAccount: (account) => ensureAccount(service, account),
    replacePassword: (localId, from, to) => replacePassword(service, localId, from, to),
  };
}
