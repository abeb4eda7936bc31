import { eq } from 'drizzle-orm';
import { identityAccounts } from '../schema';
import { readText } from '../requestBody';
import { authenticateCaller, requireRecentLogin } from '../idTokens';
import type { IdentityCallHandler } from '../service';

export const deleteAccount: IdentityCallHandler = async (service, body, _network, report) => {
  const caller = await authenticateCaller(service, readText(body, 'idToken'));
  requireRecentLogin(service, caller);
  const { localId: userId } = caller.account;
  await service.db.transaction(async (tx) => {
    await tx.delete(identityAccounts).where(eq(identityAccounts.localId, userId));
    await service.endAppSessions?.(tx, userId, service.now());
  });
  report('account removed', { userId });
  report('session ended', { userId });
  return { kind: 'identitytoolkit#DeleteAccountResponse' };
};
