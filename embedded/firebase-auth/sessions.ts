import { createHash, randomBytes } from 'node:crypto';
import { and, desc, eq, inArray, isNull, max } from 'drizzle-orm';
import { identityRefreshTokens } from './schema';
import type { Account } from './accounts';
import { signIdToken, TOKEN_SECONDS } from './idTokens';
import type { Service, Tx } from './service';

/** Sessions one account can have; beyond it the oldest ends. */
const MOST_SESSIONS = 200;

export const hashOfToken = (token: string) => createHash('sha256').update(token).digest('base64url');

export interface IdentitySession {
  account: Account;
  provider: string;
  authTime: Date;
  refreshToken: string;
}

const SECOND_MS = 1000;
/** ID tokens from the future are refused. After that many sign-ins in one second, some share a second. */
const MOST_AHEAD_MS = 30 * SECOND_MS;

const secondOf = (at: Date) => Math.floor(at.getTime() / SECOND_MS) * SECOND_MS;

/** An ID token names its session by the second of the sign-in: no two sign-ins of one account share it. */
async function ownSecond(tx: Tx, localId: string, now: Date): Promise<Date> {
  const [row] = await tx
    .select({ last: max(identityRefreshTokens.authTime) })
    .from(identityRefreshTokens)
    .where(eq(identityRefreshTokens.localId, localId));
  const next = row?.last ? secondOf(row.last) + SECOND_MS : 0;
  return next > now.getTime() && next <= now.getTime() + MOST_AHEAD_MS ? new Date(next) : now;
}

type NewSession = Pick<IdentitySession, 'account' | 'provider'> & { authTime?: Date };

/**
 * Call it where the account's row is locked, so that a password changed meanwhile ends this session too. With an
 * `authTime` it goes on from an earlier sign-in.
 */
export async function openSession(tx: Tx, opened: NewSession, now: Date): Promise<IdentitySession> {
  const refreshToken = randomBytes(48).toString('base64url');
  const { localId } = opened.account;
  const session = { ...opened, authTime: opened.authTime ?? (await ownSecond(tx, localId, now)) };
  await tx.insert(identityRefreshTokens).values({
    tokenHash: hashOfToken(refreshToken),
    localId,
    provider: session.provider,
    authTime: session.authTime,
    lastUsedAt: now,
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

export async function tokensOf(service: Service, { account, provider, authTime, refreshToken }: IdentitySession) {
  const idToken = await signIdToken(service, account, provider, authTime);
  return { idToken, refreshToken, expiresIn: String(TOKEN_SECONDS) };
}
