import { eq } from 'drizzle-orm';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { AdminAnswer, Email, ListedUser, SignedUser, User, UserDraft } from '../../src/contract/entities';
import { bearerOf, isAdmin } from '../auth/access';
import { users } from '../db/schema';
import type { Deps } from '../deps';
import { normalizeEmail } from '../auth/emailAddress';
import {
  emailMismatch,
  emailUnverified,
  identityProviderDown,
  rateLimited,
  ProblemError,
  tokenInvalid,
  userNotFound,
} from '../http/problems';
import { networkOf } from '../http/network';
import { IdentityProviderDown, type ProvenIdentity } from '../auth/identityProvider';
import { logSecurityEvent, type EventFields } from '../auth/securityEvents';
import type { App } from '../http/fastify';
import { formerOwnerOrders } from '../payments/formerOwnerOrders';
import { streamUsers } from '../users/listUsers';
import { refusedTokens } from '../auth/refusedTokens';
import { promote } from '../users/roles';
import { shownUser } from '../users/shownUser';
import { signIn } from '../auth/signIn';

declare module 'fastify' {
  interface FastifyRequest {
    proven: ProvenIdentity;
  }
}

const ByEmail = Type.Object({ email: Email });
const MINUTE = 60;
const A_MINUTE_OF_ONE_PERSON = 10;

const SIGN_IN_REFUSED = [401, 403, 409, 429];
async function logSignIn(request: FastifyRequest, reply: FastifyReply) {
  const { userId, refusalCode: code } = request;
  if (reply.statusCode === 200) logSecurityEvent(request, 'signed in', { userId });
  if (SIGN_IN_REFUSED.includes(reply.statusCode)) logSecurityEvent(request, 'sign-in refused', { userId, code });
}

const emailIn = (request: FastifyRequest) => (request.params as { email?: string }).email;

export function userRoutes(app: App, deps: Deps): void {
  const { db, access, tokens, identity, settings } = deps;

  const countRefusedToken = refusedTokens(deps);

  async function limitPerson(uid: string) {
    const { ok, retryAfterSeconds } = await deps.limit(`put-user:uid:${uid}`, A_MINUTE_OF_ONE_PERSON, MINUTE);
    if (!ok) throw rateLimited(retryAfterSeconds);
  }

  async function proofOf(request: FastifyRequest): Promise<ProvenIdentity> {
    const admit = (uid: string) => {
      request.userId = uid;
      return limitPerson(uid);
    };
    const proven = await identity.verify(bearerOf(request), admit).catch((error) => {
      throw error instanceof IdentityProviderDown ? identityProviderDown() : error;
    });
    if (!proven) throw tokenInvalid();
    return proven;
  }

  /** The token is checked before anything is counted: a neighbor's nonsense must not keep a proven person out. */
  async function requireProof(request: FastifyRequest) {
    const proven = await proofOf(request).catch(async (error) => {
      if (error instanceof ProblemError && error.status === 401) await countRefusedToken(networkOf(request.ip));
      throw error;
    });
    if (normalizeEmail(emailIn(request) ?? '') !== proven.email) throw emailMismatch();
    request.proven = proven;
  }

  async function sendAll(_request: FastifyRequest, reply: FastifyReply) {
    return reply.type('application/json; charset=utf-8').send(await streamUsers(db));
  }

  app.put(
    '/user/:email',
    {
      onRequest: requireProof,
      onResponse: logSignIn,
      schema: { params: ByEmail, body: UserDraft, response: { 200: SignedUser } },
    },
    async (request, reply) => {
      if (normalizeEmail(request.body.email) !== request.proven.email) throw emailMismatch();
      const { authTime } = request.proven;
      const onRoleChange = (change: EventFields) => logSecurityEvent(request, 'role changed', change);
      const user = await signIn(deps, request.proven, { onRoleChange, formerOrders: formerOwnerOrders(deps) });
      return reply.send({ ...shownUser(user), token: tokens.issue(user.id, { authTime, forAdmin: isAdmin(user) }) });
    },
  );

  app.get('/user', { onRequest: access.requireAdmin, schema: { response: { 200: Type.Array(ListedUser) } } }, sendAll);

  app.put(
    '/user/admin/:email',
    { onRequest: access.requireAdmin, schema: { params: ByEmail, response: { 200: User } } },
    async (request, reply) => {
      const email = normalizeEmail(request.params.email);
      const user = await promote(db, email, { actorId: request.user.id, unverifiedToo: settings.demo });
      if (!user) throw userNotFound();
      if (user.role !== 'admin') throw emailUnverified();
      const { id: targetId, role } = user;
      if (user.changed) logSecurityEvent(request, 'role changed', { userId: request.user.id, targetId, role });
      return reply.send(shownUser(user));
    },
  );

  app.get(
    '/admin/:email',
    {
      onRequest: access.requireSelfOrAdmin(emailIn),
      schema: { params: ByEmail, response: { 200: AdminAnswer } },
    },
    async (request, reply) => {
      const email = normalizeEmail(request.params.email) ?? '';
      const [user] = await db.select({ role: users.role }).from(users).where(eq(users.email, email));
      if (!user) throw userNotFound();
      return reply.send({ admin: user.role === 'admin' });
    },
  );
}
