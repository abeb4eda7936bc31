import { createHash, randomBytes } from 'node:crypto';
import { and, desc, eq, inArray, isNull } from 'drizzle-orm';
import type { Tx } from '../../db/open';
import { identityRefreshTokens } from '../../db/schema';
import type { Account } from './accounts';
import { signIdToken, TOKEN_SECONDS } from './idTokens';
import type { IdentityServiceDeps } from './service';

/** Sessions one account can have; beyond it the oldest ends. */
const MOST_SESSIONS = 200;

export const hashOfToken = (token: string) => createHash('sha256').update(token).digest('base64url');

export interface Session {
  account: Account;
  provider: string;
  authTime: Date;
  refreshToken: string;
}

/** Call it where the account's row is locked, so that a password changed meanwhile ends this session too. */
export async function openSession(tx: Tx, session: Omit<Session, 'refreshToken'>, now: Date): Promise<Session> {
  const refreshToken = randomBytes(48).toString('base64url');
  const { localId } = session.account;
  await tx.insert(identityRefreshTokens).values({
    tokenHash: hashOfToken(refreshToken),
    localId,
    provider: session.provider,
    authTime: session.authTime,
    createdAt: now,
  });
  const surplus = tx
    .select({ tokenHash: identityRefreshTokens.tokenHash })
    .from(identityRefreshTokens)
    .where(eq(identityRefreshTokens.localId, localId))
    .orderBy(desc(identityRefreshTokens.createdAt))
    .offset(MOST_SESSIONS);
  await tx.delete(identityRefreshTokens).where(inArray(identityRefreshTokens.tokenHash, surplus));
  return { ...session, refreshToken };
}

export async function endSessions(tx: Tx, localId: string, now: Date): Promise<void> {
  await tx
    .update(identityRefreshTokens)
    .set({ revokedAt: now })
    .where(and(eq(identityRefreshTokens.localId, localId), isNull(identityRefreshTokens.revokedAt)));
}

export async function tokensOf(service: IdentityServiceDeps, { account, provider, authTime, refreshToken }: Session) {
  const idToken = await signIdToken(service, account, provider, authTime);
  return { idToken, refreshToken, expiresIn: String(TOKEN_SECONDS) };
}
