import { eq } from 'drizzle-orm';
import { Type } from 'typebox';
import { Email, Profile, ProfileDraft } from '../../src/contract/entities';
import { safeHref } from '../../src/contract/links';
import { ownsEmail } from '../auth/access';
import { profiles, users } from '../db/schema';
import type { Deps } from '../deps';
import { normalizeEmail } from '../auth/emailAddress';
import { emailMismatch, userNotFound } from '../http/problems';
import type { App } from '../http/fastify';
import { limitCallsPerMinute } from '../http/rateLimit';

const ByEmail = Type.Object({ email: Email });

export function profileRoutes(app: App, { db, access, limit }: Deps): void {
  app.post(
    '/profile',
    {
      onRequest: [access.requireUser, limitCallsPerMinute(limit, 'profile')],
      schema: { summary: 'Saves the profile of the caller.', body: ProfileDraft, response: { 201: Profile } },
    },
    async (request, reply) => {
      const { email, linkedIn, education = '', ...rest } = request.body;
      if (email !== undefined && !ownsEmail(request.user, email)) throw emailMismatch();
      const saved = { ...rest, education, linkedIn: safeHref(linkedIn)! };
      await db
        .insert(profiles)
        .values({ userId: request.user.id, ...saved })
        .onConflictDoUpdate({ target: profiles.userId, set: saved });
      return reply.code(201).send({ email: request.user.email ?? '', ...saved });
    },
  );

  app.get(
    '/profile/:email',
    {
      onRequest: access.requireSelfOrAdmin((request) => (request.params as { email?: string }).email),
      schema: {
        summary: 'Returns the profile of a user. For that user and for admins.',
        params: ByEmail,
        response: { 200: Profile },
      },
    },
    async (request, reply) => {
      const email = normalizeEmail(request.params.email) ?? '';
      const [row] = await db
        .select({
          address: profiles.address,
          education: profiles.education,
          phone: profiles.phone,
          linkedIn: profiles.linkedIn,
        })
        .from(users)
        .leftJoin(profiles, eq(profiles.userId, users.id))
        .where(eq(users.email, email));
      if (!row) throw userNotFound();
      const { address, education, phone, linkedIn } = row;
      return reply.send({
        email,
        address: address ?? '',
        education: education ?? '',
        phone: phone ?? '',
        linkedIn: linkedIn ?? '',
      });
    },
  );
}
