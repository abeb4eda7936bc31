import { Type } from 'typebox';
import type { Deps } from '../deps';
import { logSecurityEvent } from '../auth/securityEvents';
import type { App } from '../http/fastify';
import { endSession } from '../auth/sessions';

export function sessionRoutes(app: App, { db, access, now }: Deps): void {
  app.delete(
    '/session',
    {
      onRequest: access.requireUser,
      schema: { summary: 'Ends the session of the access token.', response: { 204: Type.Null() } },
    },
    async (request, reply) => {
      await endSession(db, request.user, request.accessToken, now());
      logSecurityEvent(request, 'session ended', { userId: request.user.id });
      return reply.code(204).send(null);
    },
  );
}
