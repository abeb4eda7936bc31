import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { enforceGoogleChoiceLimit } from '../loginFailures';
import { requireObjectBody, readEmail, MAX_DISPLAY_NAME, readStorableText } from '../requestBody';
import { throwIdentityError } from '../identityErrors';
import type { IdentityService } from '../service';
import { signGoogleCredential } from './googleCredential';

const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const FILES = {
  '/identity/google': ['chooser.html', 'text/html; charset=utf-8'],
  '/identity/google/chooser.css': ['chooser.css', 'text/css; charset=utf-8'],
  '/identity/google/chooser.client.js': ['chooser.client.js', 'text/javascript; charset=utf-8'],
} as const;

/**
 * Serves the stand-in for Google's account chooser, and signs a credential for the account that the customer chooses.
 */
export function registerGoogleChooser(app: FastifyInstance, service: IdentityService): void {
  const folder = join(service.folder, 'google');
  for (const [path, [name, type]] of Object.entries(FILES)) {
    const content = readFileSync(join(folder, name), 'utf8');
    app.get(path, (_request, reply) =>
      reply.type(type).header('content-security-policy', CONTENT_SECURITY_POLICY).send(content),
    );
  }
  app.post('/identity/google/credential', async (request) => {
    const body = requireObjectBody(request.body);
    const email = readEmail(service, body);
    const name = readStorableText(body, 'displayName', MAX_DISPLAY_NAME) ?? throwIdentityError('MISSING_DISPLAY_NAME');
    await enforceGoogleChoiceLimit(service, service.clientNetwork(request.ip));
    return { idToken: await signGoogleCredential(service, email, name) };
  });
}
