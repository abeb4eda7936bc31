import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { countGoogle } from '../loginFailures';
import { asBody, emailIn, MAX_DISPLAY_NAME, storedText } from '../body';
import { fail } from '../identityErrors';
import type { Service } from '../service';
import { signCredential } from './credential';

const POLICY = [
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

/** The page that stands in for Google's account chooser, and the only place where its credentials are made. */
export function chooser(app: FastifyInstance, service: Service): void {
  const folder = join(service.folder, 'google');
  for (const [path, [name, type]] of Object.entries(FILES)) {
    const content = readFileSync(join(folder, name), 'utf8');
    app.get(path, (_request, reply) => reply.type(type).header('content-security-policy', POLICY).send(content));
  }
  app.post('/identity/google/credential', async (request) => {
    const body = asBody(request.body);
    const email = emailIn(service, body);
    const name = storedText(body, 'displayName', MAX_DISPLAY_NAME) ?? fail('MISSING_DISPLAY_NAME');
    await countGoogle(service, service.clientNetwork(request.ip));
    return { idToken: await signCredential(service, email, name) };
  });
}
