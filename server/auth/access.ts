import { eq, getTableColumns, sql } from 'drizzle-orm';
import type { FastifyRequest } from 'fastify';
import { ADMIN_TOKEN_SECONDS } from '../../src/contract/limits';
import { nameOf as shownName } from '../../src/contract/displayName';
import type { Db } from '../db/database';
import { endedSessions, users } from '../db/schema';
import { normalizeEmail } from './emailAddress';
import { authRequired, emailMismatch, forbidden, tokenInvalid } from '../http/problems';
import { CLOCK_SKEW_SECONDS, tokenExpired, type AccessTokens, type TokenFacts } from './accessTokens';

/** Who calls, as the database knows them now: a role is never read from a token. */
export type CallerAccount = typeof users.$inferSelect;

declare module 'fastify' {
  interface FastifyRequest {
    user: CallerAccount;
    /** The access token of this call. */
    accessToken: TokenFacts;
  }
}

export interface Access {
  requireUser(request: FastifyRequest): Promise<void>;
  requireAdmin(request: FastifyRequest): Promise<void>;
  /** The caller must be the one with this email, or an admin. */
  requireSelfOrAdmin(
    email: (request: FastifyRequest) => string | undefined,
  ): (request: FastifyRequest) => Promise<void>;
}

export function bearerOf(request: FastifyRequest): string {
  const [scheme, token, ...rest] = (request.headers.authorization ?? '').split(' ');
  if (scheme?.toLowerCase() !== 'bearer' || !token || rest.length > 0) throw authRequired();
  return token;
}

export const isAdmin = (user: CallerAccount) => user.role === 'admin';
export const ownsEmail = (user: CallerAccount, email: string) =>
  user.email !== null && user.email === normalizeEmail(email);

const ADMIN_TOKEN_MS = (ADMIN_TOKEN_SECONDS + CLOCK_SKEW_SECONDS) * 1000;

/**
 * `auth_time` is in whole seconds. A token of the very second in which its session ended belongs to a new session if it
 * was issued afterwards. Any older session stays over, also for a token that was issued while it ended.
 */
const sessionEnded = sql<boolean>`exists (
  select from ${endedSessions} where ${endedSessions.userId} = ${users.id}
    and ${endedSessions.authTime} = ${sql.placeholder('authTime')}::timestamptz
    and (${endedSessions.endedAt} >= ${sql.placeholder('issuedAt')}::timestamptz
      or ${endedSessions.authTime} < date_trunc('second', ${endedSessions.endedAt})))`;

/** The operator's `block` and `sign-out`, a new password, a verified address. */
function isOver(
  { sessionsValidFrom, signedOutAt, blockedAt }: CallerAccount,
  { issuedAt, authTime }: TokenFacts,
): boolean {
  const signedOut = signedOutAt !== null && authTime !== undefined && authTime < signedOutAt;
  return blockedAt !== null || signedOut || issuedAt < sessionsValidFrom;
}

export function makeAccess(db: Db, tokens: AccessTokens, now: () => Date): Access {
  const find = db
    .select({ ...getTableColumns(users), hasEnded: sessionEnded })
    .from(users)
    .where(eq(users.id, sql.placeholder('id')))
    .prepare('caller');

  async function requireUser(request: FastifyRequest) {
    const token = tokens.verify(bearerOf(request));
    const { userId: id, issuedAt, authTime } = token;
    request.userId = id;
    const times = { issuedAt: issuedAt.toISOString(), authTime: authTime?.toISOString() ?? null };
    const [found] = await find.execute({ id, ...times });
    if (!found || found.hasEnded || isOver(found, token)) throw tokenInvalid();
    // Somebody who was promoted has a token of an hour.
    if (isAdmin(found) && now().getTime() - issuedAt.getTime() > ADMIN_TOKEN_MS) throw tokenExpired();
    request.user = found;
    request.accessToken = token;
  }

  async function requireAdmin(request: FastifyRequest) {
    await requireUser(request);
    if (!isAdmin(request.user)) throw forbidden();
  }

  return {
    requireUser,
    requireAdmin,
    requireSelfOrAdmin: (emailOf) => async (request) => {
      await requireUser(request);
      const email = emailOf(request);
      if (isAdmin(request.user)) return;
      if (email === undefined) throw forbidden();
      if (!ownsEmail(request.user, email)) throw emailMismatch();
    },
  };
}

/** The name on what someone writes. */
export const nameOf = (user: CallerAccount) => shownName({ ...user, isAdmin: isAdmin(user) });
