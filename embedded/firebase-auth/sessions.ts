import { randomBytes } from 'node:crypto';
import { and, desc, eq, inArray, isNull, max } from 'drizzle-orm';
import { identityCodes, identityRefreshTokens } from './schema';
import type { Account } from './accounts';
import { signIdToken, ID_TOKEN_SECONDS } from './idTokens';
import type { IdentityService, Tx } from './service';
import { sha256 } from './sha256';

/** If an account has more sessions than this, its oldest ones are deleted. */
const MAX_SESSIONS = 200;

export interface IdentitySession {
  account: Account;
  provider: string;
  authTime: Date;
  refreshToken: string;
}

const SECOND_MS = 1000;
/**
 * If an account signs in several times in one second, the later sign-ins get an `auth_time` in the future. It is at
 * most this far ahead, because verifiers refuse times that are further ahead. So with more than 30 sign-ins in one
 * second, some sessions share an `auth_time`.
 */
const MAX_AHEAD_MS = 30 * SECOND_MS;

const toWholeSecond = (at: Date) => Math.floor(at.getTime() / SECOND_MS) * SECOND_MS;

/**
 * The application tells the sessions of an account apart by `auth_time`, which has whole seconds. Therefore each
 * sign-in of an account gets a second of its own.
 */
async function pickAuthTime(tx: Tx, localId: string, now: Date): Promise<Date> {
  const [row] = await tx
    .select({ last: max(identityRefreshTokens.authTime) })
    .from(identityRefreshTokens)
    .where(eq(identityRefreshTokens.localId, localId));
  const earliestMs = row?.last ? toWholeSecond(row.last) + SECOND_MS : 0;
  return earliestMs > now.getTime() && earliestMs <= now.getTime() + MAX_AHEAD_MS ? new Date(earliestMs) : now;
}

type NewSession = Pick<IdentitySession, 'account' | 'provider'> & { authTime?: Date };

/**
 * The caller must have locked the account's row, so that a concurrent password change ends this session too.
 * @param fields have an `authTime` only if the session continues an earlier sign-in
 */
export async function openSession(tx: Tx, fields: NewSession, now: Date): Promise<IdentitySession> {
  const refreshToken = randomBytes(48).toString('base64url');
  const { localId } = fields.account;
  const session = { ...fields, authTime: fields.authTime ?? (await pickAuthTime(tx, localId, now)) };
  await tx.insert(identityRefreshTokens).values({
    tokenHash: sha256(refreshToken),
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
    .offset(MAX_SESSIONS);
  await tx.delete(identityRefreshTokens).where(inArray(identityRefreshTokens.tokenHash, surplus));
  return { ...session, refreshToken };
}

/** Also ends the links that set a new password, because a stranger may have asked for one. */
export async function endSessions(tx: Tx, localId: string, now: Date): Promise<void> {
  await tx
    .delete(identityCodes)
    .where(and(eq(identityCodes.localId, localId), eq(identityCodes.requestType, 'PASSWORD_RESET')));
  await tx
    .update(identityRefreshTokens)
    .set({ revokedAt: now })
    .where(and(eq(identityRefreshTokens.localId, localId), isNull(identityRefreshTokens.revokedAt)));
}

export async function issueTokens(
  service: IdentityService,
  { account, provider, authTime, refreshToken }: IdentitySession,
) {
  const idToken = await signIdToken(service, account, provider, authTime);
  return { idToken, refreshToken, expiresIn: String(ID_TOKEN_SECONDS) };
}
