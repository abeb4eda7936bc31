import { Type } from 'typebox';
import { Email, Profile, ProfileDraft } from '../../src/contract/entities';
import { safeHref } from '../../src/contract/links';
import { ownsEmail } from '../auth/access';
import type { Deps } from '../deps';
import { normalizeEmail } from '../auth/emailAddress';
import { emailMismatch, userNotFound } from '../http/problems';
import type { App } from '../http/fastify';
import { limitCallsPerMinute } from '../http/rateLimit';
import { readProfile, saveProfile } from '../users/profiles';

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
      await saveProfile(db, request.user, saved);
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
      const profile = await readProfile(db, email);
      if (!profile) throw userNotFound();
      return reply.send({ email, ...profile });
    },
  );
}
