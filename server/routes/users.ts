import { eq } from 'drizzle-orm';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { AdminAnswer, Email, SignedUser, User, UserDraft } from '../../src/contract/entities';
import { bearerOf } from '../access';
import { users } from '../db/schema';
import type { Deps } from '../deps';
import { normaliseEmail } from '../email';
import { emailMismatch, identityProviderDown, rateLimited, tokenInvalid, userNotFound } from '../errors';
import { networkOf } from '../network';
import { IdentityProviderDown, type ProvenIdentity } from '../providers/identity';
import type { App } from '../typed';
import { streamUsers } from '../users/listUsers';
import { promote } from '../users/roles';
import { shownUser } from '../users/shownUser';
import { signIn } from '../users/signIn';

declare module 'fastify' {
  interface FastifyRequest {
    proven: ProvenIdentity;
  }
}

const ByEmail = Type.Object({ email: Email });
const MINUTE = 60;
const A_MINUTE_FROM_ONE_ADDRESS = 20;
const A_MINUTE_OF_ONE_PERSON = 10;

const emailIn = (request: FastifyRequest) => (request.params as { email?: string }).email;

export function userRoutes(app: App, deps: Deps): void {
  const { db, access, tokens, identity, settings, now } = deps;

  async function limit(bucket: string, max: number) {
    const { ok, retryAfterSeconds } = await deps.limit(bucket, max, MINUTE);
    if (!ok) throw rateLimited(retryAfterSeconds);
  }

  async function requireProof(request: FastifyRequest) {
    const token = bearerOf(request);
    await limit(`put-user:ip:${networkOf(request.ip)}`, A_MINUTE_FROM_ONE_ADDRESS);
    const proven = await identity.verify(token).catch((error) => {
      throw error instanceof IdentityProviderDown ? identityProviderDown() : error;
    });
    if (!proven) throw tokenInvalid();
    await limit(`put-user:uid:${proven.uid}`, A_MINUTE_OF_ONE_PERSON);
    if (normaliseEmail(emailIn(request) ?? '') !== proven.email) throw emailMismatch();
    request.proven = proven;
  }

  async function sendAll(_request: FastifyRequest, reply: FastifyReply) {
    return reply.type('application/json; charset=utf-8').send(await streamUsers(db));
  }

  app.put(
    '/user/:email',
    { onRequest: requireProof, schema: { params: ByEmail, body: UserDraft, response: { 200: SignedUser } } },
    async (request, reply) => {
      if (normaliseEmail(request.body.email) !== request.proven.email) throw emailMismatch();
      const user = await signIn(db, request.proven, settings, now());
      return reply.send({ ...shownUser(user), token: tokens.issue(user.id) });
    },
  );

  app.get('/user', { onRequest: access.requireAdmin, schema: { response: { 200: Type.Array(User) } } }, sendAll);

  app.put(
    '/user/admin/:email',
    { onRequest: access.requireAdmin, schema: { params: ByEmail, response: { 200: User } } },
    async (request, reply) => {
      const user = await promote(db, normaliseEmail(request.params.email), request.user.id);
      if (!user) throw userNotFound();
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
      const email = normaliseEmail(request.params.email) ?? '';
      const [user] = await db.select({ role: users.role }).from(users).where(eq(users.email, email));
      if (!user) throw userNotFound();
      return reply.send({ admin: user.role === 'admin' });
    },
  );
}
