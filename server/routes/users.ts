import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { AdminStatus, Email, ListedUser, UserWithToken, User, UserDraft } from '../../src/contract/entities';
import { bearerOf, isAdmin } from '../auth/access';
import type { Deps } from '../deps';
import { normalizeEmail } from '../auth/emailAddress';
import {
  emailMismatch,
  emailUnverified,
  lastAdmin,
  notPromoter,
  rateLimited,
  ProblemError,
  userNotFound,
} from '../http/problems';
import { networkOf } from '../http/network';
import type { VerifiedIdentity } from '../auth/firebaseTokens';
import { logSecurityEvent } from '../auth/securityEvents';
import type { App } from '../http/fastify';
import { streamUsers } from '../users/listUsers';
import { createRefusedTokenCounter } from '../auth/refusedTokens';
import { promote, readRole, undoPromotion } from '../users/roles';
import { toUser } from '../users/toUser';
import { signIn } from '../auth/signIn';

declare module 'fastify' {
  interface FastifyRequest {
    verifiedIdentity: VerifiedIdentity;
  }
}

const ByEmail = Type.Object({ email: Email });
const SIGN_IN_WINDOW_SECONDS = 60;
const MAX_SIGN_INS_PER_WINDOW = 10;

const REFUSED_STATUSES = [401, 403, 429];
async function logSignIn(request: FastifyRequest, reply: FastifyReply) {
  const { userId, refusalCode: code } = request;
  if (reply.statusCode === 200) logSecurityEvent(request, 'signed in', { userId });
  if (REFUSED_STATUSES.includes(reply.statusCode)) logSecurityEvent(request, 'sign-in refused', { userId, code });
}

const emailParamOf = (request: FastifyRequest) => (request.params as { email?: string }).email;

export function userRoutes(app: App, deps: Deps): void {
  const { db, access, tokens, verifyIdToken, settings } = deps;

  const countRefusedToken = createRefusedTokenCounter(deps);

  async function limitSignIns(request: FastifyRequest, uid: string) {
    request.userId = uid;
    const { ok, retryAfterSeconds } = await deps.limit(
      `put-user:uid:${uid}`,
      MAX_SIGN_INS_PER_WINDOW,
      SIGN_IN_WINDOW_SECONDS,
    );
    if (!ok) throw rateLimited(retryAfterSeconds);
  }

  /**
   * Counts only invalid tokens against the network, so that someone who sends many of them does not block other users
   * of the network.
   */
  async function requireIdToken(request: FastifyRequest) {
    try {
      request.verifiedIdentity = await verifyIdToken(bearerOf(request), (uid) => limitSignIns(request, uid));
    } catch (error) {
      if (error instanceof ProblemError && error.status === 401) await countRefusedToken(networkOf(request.ip));
      throw error;
    }
    if (normalizeEmail(emailParamOf(request) ?? '') !== request.verifiedIdentity.email) throw emailMismatch();
  }

  async function sendUsers(_request: FastifyRequest, reply: FastifyReply) {
    return reply.type('application/json; charset=utf-8').send(await streamUsers(db));
  }

  app.put(
    '/user/:email',
    {
      onRequest: requireIdToken,
      onResponse: logSignIn,
      schema: {
        summary: 'Signs in with an ID token of the identity provider, and returns an access token.',
        params: ByEmail,
        body: UserDraft,
        response: { 200: UserWithToken },
      },
    },
    async (request, reply) => {
      if (normalizeEmail(request.body.email) !== request.verifiedIdentity.email) throw emailMismatch();
      const { authTime } = request.verifiedIdentity;
      const { user, isPromoted } = await signIn(deps, request.verifiedIdentity);
      if (isPromoted) logSecurityEvent(request, 'role changed', { targetId: user.id, role: user.role });
      return reply.send({ ...toUser(user), token: tokens.issue(user.id, { authTime, forAdmin: isAdmin(user) }) });
    },
  );

  app.get(
    '/user',
    {
      onRequest: access.requireAdmin,
      schema: { summary: 'Lists all users. Admins only.', response: { 200: Type.Array(ListedUser) } },
    },
    sendUsers,
  );

  app.put(
    '/user/admin/:email',
    {
      onRequest: access.requireAdmin,
      schema: { summary: 'Makes a user an admin. Admins only.', params: ByEmail, response: { 200: User } },
    },
    async (request, reply) => {
      const email = normalizeEmail(request.params.email) ?? '';
      const promotion = await promote(db, email, { actorId: request.user.id, canBeUnverified: settings.demo });
      if (promotion === 'unknown') throw userNotFound();
      const { user, changed } = promotion;
      if (user.role !== 'admin') throw emailUnverified();
      const { id: targetId, role } = user;
      if (changed) logSecurityEvent(request, 'role changed', { userId: request.user.id, targetId, role });
      return reply.send(toUser(user));
    },
  );

  app.delete(
    '/user/admin/:email',
    {
      onRequest: access.requireAdmin,
      schema: {
        summary:
          'Takes back a promotion that the caller made. Answers not_promoter if someone else changed the role last. Admins only.',
        params: ByEmail,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const email = normalizeEmail(request.params.email) ?? '';
      const undone = await undoPromotion(db, email, request.user.id);
      if (undone === 'unknown') throw userNotFound();
      if (undone === 'not_promoter') throw notPromoter();
      if (undone === 'last_admin') throw lastAdmin();
      const { id: targetId, changed } = undone;
      if (changed) logSecurityEvent(request, 'role changed', { userId: request.user.id, targetId, role: 'member' });
      return reply.code(204).send(null);
    },
  );

  app.get(
    '/admin/:email',
    {
      onRequest: access.requireSelfOrAdmin(emailParamOf),
      schema: {
        summary: 'Returns whether a user is an admin. For that user and for admins.',
        params: ByEmail,
        response: { 200: AdminStatus },
      },
    },
    async (request, reply) => {
      const email = normalizeEmail(request.params.email) ?? '';
      const role = await readRole(db, email);
      if (!role) throw userNotFound();
      return reply.send({ admin: role === 'admin' });
    },
  );
}
