import type { JWK } from 'jose';
import type { FastifyPluginAsync } from 'fastify';
import { accountOfId, ensureAccount, type NewAccount } from './accounts';
import { accountStatus, type AccountStatus } from './idTokens';
import { cachedKeys } from './keyCache';
import { publicKeys } from './signingKeys';
import { commonPasswords, hashPassword } from './passwords';
import { identityPlugin } from './identityPlugin';
import type { FirebaseAuthOptions, Service } from './service';

export { removeAccounts } from './accounts';
export { PROJECT_ID, type FirebaseAuthOptions } from './service';

export interface FirebaseAuth {
  plugin: FastifyPluginAsync;
  /** @returns the public key of that name, or undefined: for checking ID tokens in process */
  findKey(kid: string): Promise<JWK | undefined>;
  /** Answers as `accounts:lookup` does, for an ID token that is verified already. */
  accountStatus(localId: string, idToken: string): Promise<AccountStatus>;
  /** Whether the account exists and has this address. */
  hasAccount(localId: string, email: string): Promise<boolean>;
  /**
   * Creates an account if its address has none. An account that exists stays as it is.
   * @param hash used in place of `hashPassword`, so that several accounts can share the cost of one hash
   * @returns the id of the account
   */
  ensureAccount(account: NewAccount, hash?: (password: string) => Promise<string>): Promise<string>;
  hashPassword(password: string): Promise<string>;
}

/** A Firebase-compatible identity service, for the unchanged SDK of the browser. */
export function firebaseAuthServer(options: FirebaseAuthOptions): FirebaseAuth {
  const { db, passwordCost, folder, now = () => new Date() } = options;
  const service: Service = { ...options, now, isCommonPassword: commonPasswords(folder) };
  const hashOf = (password: string) => hashPassword(password, passwordCost);
  return {
    plugin: identityPlugin(service),
    findKey: cachedKeys(() => publicKeys(service)),
    accountStatus: (localId, idToken) => accountStatus(db, localId, idToken),
    hasAccount: async (localId, email) => (await accountOfId(db, localId))?.email === email,
    ensureAccount: (account, hash = hashOf) => ensureAccount(service, account, hash),
    hashPassword: hashOf,
  };
}
