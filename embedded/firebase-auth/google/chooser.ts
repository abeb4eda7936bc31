import type { FastifyInstance } from 'fastify';
import { servePageFiles } from '../pageFiles';
import { requireObjectBody, readEmail, MAX_DISPLAY_NAME, readStorableText } from '../requestBody';
import { throwIdentityError } from '../identityErrors';
import type { IdentityService } from '../service';
import { signGoogleCredential } from './googleCredential';

/**
 * Serves the stand-in for Google's account chooser, and signs a credential for the account that the customer chooses.
 */
export function registerGoogleChooser(app: FastifyInstance, service: IdentityService): void {
  servePageFiles(app, service, {
    '/identity/google': 'chooser.html',
    '/identity/google/chooser.client.js': 'chooser.client.js',
  });
  app.post('/identity/google/credential', async (request) => {
    const body = requireObjectBody(request.body);
    const email = readEmail(service, body);
    const name = readStorableText(body, 'displayName', MAX_DISPLAY_NAME) ?? throwIdentityError('MISSING_DISPLAY_NAME');
    return { idToken: await signGoogleCredential(service, email, name) };
  });
}
