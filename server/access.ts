import { eq, sql } from 'drizzle-orm';
import type { FastifyRequest } from 'fastify';
import type { Db } from './db/open';
import { users } from './db/schema';
import { normaliseEmail } from './email';
import { authRequired, emailMismatch, forbidden, tokenInvalid } from './errors';
import type { AccessTokens } from './tokens';

/** Who calls, as the database knows them now: a role is never read from a token. */
export type Caller = typeof users.$inferSelect;

declare module 'fastify' {
  interface FastifyRequest {
    user: Caller;
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

export const isAdmin = (user: Caller) => user.role === 'admin';
export const ownsEmail = (user: Caller, email: string) => user.email !== null && user.email === normaliseEmail(email);

export function makeAccess(db: Db, tokens: AccessTokens): Access {
  const find = db
    .select()
    .from(users)
    .where(eq(users.id, sql.placeholder('id')))
    .prepare('caller');

  async function requireUser(request: FastifyRequest) {
    const { userId, issuedAt } = tokens.verify(bearerOf(request));
    const [user] = await find.execute({ id: userId });
    if (!user || issuedAt < user.sessionsValidFrom) throw tokenInvalid();
    request.user = user;
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

/** The name on what someone writes; without a display name the part of the address before the @. */
export const nameOf = (user: Caller) => user.displayName.trim() || (user.email ?? '').split('@')[0] || 'A customer';
