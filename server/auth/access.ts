import { eq, getTableColumns, sql } from 'drizzle-orm';
import type { FastifyRequest } from 'fastify';
import { ADMIN_TOKEN_SECONDS } from '../../src/contract/limits';
import { authorName as shownName } from '../../src/contract/displayName';
import type { Db } from '../db/database';
import { endedSessions, users } from '../db/schema';
import { normalizeEmail } from './emailAddress';
import { findMachine, isMachineToken } from './machineKeys';
import { authRequired, emailMismatch, forbidden, tokenInvalid } from '../http/problems';
import { CLOCK_SKEW_SECONDS, tokenExpired, type AccessTokens, type TokenFacts } from './accessTokens';

/** The user who sends the request. Their role comes from this database row and never from a token. */
export type CallerAccount = typeof users.$inferSelect;

declare module 'fastify' {
  interface FastifyRequest {
    user: CallerAccount;
    /** The verified claims of this request's access token. */
    accessToken: TokenFacts;
  }
}

export interface AccessGuards {
  requireUser(request: FastifyRequest): Promise<void>;
  requireAdmin(request: FastifyRequest): Promise<void>;
  /** Accepts the user who has this email, and every admin. */
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
export const ownsEmail = (user: CallerAccount, email: string) => user.email === normalizeEmail(email);

const ADMIN_TOKEN_MS = (ADMIN_TOKEN_SECONDS + CLOCK_SKEW_SECONDS) * 1000;

/**
 * `auth_time` has whole seconds. If a session ends in the second in which it began, the user's next session can have
 * the same `auth_time`. So in this case, only tokens issued before the sign-out are refused. In all other cases, every
 * token with the `auth_time` of the ended session is refused.
 */
const sessionHasEnded = sql<boolean>`exists (
  select from ${endedSessions} where ${endedSessions.userId} = ${users.id}
    and ${endedSessions.authTime} = ${sql.placeholder('authTime')}::timestamptz
    and (${endedSessions.endedAt} >= ${sql.placeholder('issuedAt')}::timestamptz
      or ${endedSessions.authTime} < date_trunc('second', ${endedSessions.endedAt})))`;

/** The operator's commands `block` and `sign-out` revoke tokens. So do a new password and joining with Google. */
function isRevoked(
  { sessionsValidFrom, signedOutAt, blockedAt }: CallerAccount,
  { issuedAt, authTime }: TokenFacts,
): boolean {
  const signedOut = signedOutAt !== null && authTime !== undefined && authTime < signedOutAt;
  return blockedAt !== null || signedOut || issuedAt < sessionsValidFrom;
}

export function createAccessGuards(db: Db, tokens: AccessTokens, now: () => Date): AccessGuards {
  const findCaller = db
    .select({ ...getTableColumns(users), hasEnded: sessionHasEnded })
    .from(users)
    .where(eq(users.id, sql.placeholder('id')))
    .prepare('caller');

  async function requireUser(request: FastifyRequest) {
    const bearer = bearerOf(request);
    if (isMachineToken(bearer)) {
      request.user = await findMachine(db, bearer, request);
      request.userId = request.user.id;
      return;
    }
    const token = tokens.verify(bearer);
    const { userId: id, issuedAt, authTime } = token;
    request.userId = id;
    const times = { issuedAt: issuedAt.toISOString(), authTime: authTime?.toISOString() ?? null };
    const [caller] = await findCaller.execute({ id, ...times });
    if (!caller || caller.hasEnded || isRevoked(caller, token)) throw tokenInvalid();
    // A token that was issued before its user became an admin is valid for an hour. That is too long for an admin.
    if (isAdmin(caller) && now().getTime() - issuedAt.getTime() > ADMIN_TOKEN_MS) throw tokenExpired();
    request.user = caller;
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

/** @returns the name to show with this user's reviews and orders */
export const displayNameOf = (user: CallerAccount) => shownName({ ...user, isAdmin: isAdmin(user) });
