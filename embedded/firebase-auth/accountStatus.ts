import { decodeJwt } from 'jose';
import { accountOfId } from './accounts';
import { seconds } from './idTokens';
import type { Db } from './service';

export interface AccountStatus {
  alive: boolean;
  sessionsEndedAt: Date | null;
}

/** Reads in process what `accounts:lookup` answers. */
export async function accountStatus(db: Db, localId: string, idToken: string): Promise<AccountStatus> {
  const account = await accountOfId(db, localId);
  if (!account || account.disabled) return { alive: false, sessionsEndedAt: null };
  const revoked = Number(decodeJwt(idToken).iat) < seconds(account.validSince);
  return { alive: !revoked, sessionsEndedAt: account.validSince };
}
