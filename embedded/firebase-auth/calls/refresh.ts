import { eq } from 'drizzle-orm';
import { identityAccounts, identityRefreshTokens } from '../schema';
import { readText } from '../requestBody';
import { throwIdentityError } from '../identityErrors';
import { signIdToken, ID_TOKEN_SECONDS } from '../idTokens';
import { GOOGLE_PROVIDER_ID, type IdentityCallHandler, type IdentityService } from '../service';
import { sha256 } from '../sha256';

type RefreshSession = typeof identityRefreshTokens.$inferSelect;

const DAY_MS = 86_400_000;
const MAX_IDLE_MS = 30 * DAY_MS;

async function recordUse({ db, now }: IdentityService, { tokenHash }: RefreshSession): Promise<void> {
  await db
    .update(identityRefreshTokens)
    .set({ lastUsedAt: now() })
    .where(eq(identityRefreshTokens.tokenHash, tokenHash));
}

async function findSession(service: IdentityService, refreshToken: string) {
  const [found] = await service.db
    .select({ session: identityRefreshTokens, account: identityAccounts })
    .from(identityRefreshTokens)
    .innerJoin(identityAccounts, eq(identityAccounts.localId, identityRefreshTokens.localId))
    .where(eq(identityRefreshTokens.tokenHash, sha256(refreshToken)));
  if (!found) throwIdentityError('INVALID_REFRESH_TOKEN');
  const unusedMs = service.now().getTime() - found.session.lastUsedAt.getTime();
  if (found.session.revokedAt || unusedMs > MAX_IDLE_MS) throwIdentityError('TOKEN_EXPIRED');
  if (found.session.provider === GOOGLE_PROVIDER_ID && !service.demo) throwIdentityError('TOKEN_EXPIRED');
  // A write once a day is accurate enough, because sessions expire after 30 days without use.
  if (unusedMs > DAY_MS) await recordUse(service, found.session);
  return found;
}

export const refresh: IdentityCallHandler = async (service, body) => {
  const grantType = readText(body, 'grant_type') || throwIdentityError('MISSING_GRANT_TYPE');
  if (grantType !== 'refresh_token') throwIdentityError('INVALID_GRANT_TYPE');
  const refreshToken = readText(body, 'refresh_token') || throwIdentityError('MISSING_REFRESH_TOKEN');
  const { session, account } = await findSession(service, refreshToken);
  const idToken = await signIdToken(service, account, session.provider, session.authTime);
  return {
    id_token: idToken,
    access_token: idToken,
    expires_in: String(ID_TOKEN_SECONDS),
    refresh_token: refreshToken,
    user_id: account.localId,
  };
};
