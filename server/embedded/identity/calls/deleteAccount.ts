import { eq } from 'drizzle-orm';
import { identityAccounts } from '../../../db/schema';
import { textOf } from '../body';
import { callerOf, requireRecentLogin } from '../idTokens';
import type { Call } from '../service';

export const deleteAccount: Call = async (service, body) => {
  const caller = await callerOf(service, textOf(body, 'idToken'));
  requireRecentLogin(service, caller);
  await service.db.delete(identityAccounts).where(eq(identityAccounts.localId, caller.account.localId));
  return { kind: 'identitytoolkit#DeleteAccountResponse' };
};
