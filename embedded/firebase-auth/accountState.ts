import { decodeJwt } from 'jose';
import type { Db } from '../../server/db/database';
import { accountOfId } from './accounts';
import { seconds } from './idTokens';

/** Whether the account is still there and has this address. */
export const hasAccount = (db: Db) => async (localId: string, email: string) =>
  (await accountOfId(db, localId))?.email === email;

/** What `accounts:lookup` would say, in process, of an account and a token of it that is already verified. */
export function accountState(db: Db) {
  return async (localId: string, idToken: string) => {
    const account = await accountOfId(db, localId);
    if (!account || account.disabled) return { alive: false, sessionsEndedAt: null };
    const revoked = Number(decodeJwt(idToken).iat) < seconds(account.validSince);
    return { alive: !revoked, sessionsEndedAt: account.validSince };
  };
}
