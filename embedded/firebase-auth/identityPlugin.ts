import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify';
import type {} from '@fastify/swagger';
import { requireObjectBody } from './requestBody';
import { deleteAccount } from './calls/deleteAccount';
import { lookup } from './calls/lookup';
import { refresh } from './calls/refresh';
import { resetPassword } from './calls/resetPassword';
import { sendOobCode } from './calls/sendOobCode';
import { signInWithIdp } from './calls/signInWithIdp';
import { signInWithPassword } from './calls/signInWithPassword';
import { signUp } from './calls/signUp';
import { update } from './calls/update';
import { createErrorHandler } from './identityErrors';
import { registerGoogleChooser } from './google/chooser';
import { servePageFiles } from './pageFiles';
import { getPublicKeys } from './signingKeys';
import type { IdentityCallHandler, IdentityService, ReportSecurityEvent } from './service';

const TOOLKIT_PATH = '/identitytoolkit.googleapis.com/v1';
const BODY_LIMIT = 16 * 1024;

const ACCOUNT_CALLS: Record<string, IdentityCallHandler> = {
  signUp,
  signInWithPassword,
  signInWithIdp,
  lookup,
  update,
  sendOobCode,
  resetPassword,
  delete: deleteAccount,
};

function registerBodyParsers(app: FastifyInstance) {
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text, done) =>
    text === '' ? done(null, {}) : parseJson(request, text.toString(), done),
  );
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (_: unknown, text: string) => Object.fromEntries(new URLSearchParams(text)),
  );
}

/** Runs the call, and adds the id of its account to the request's log line. */
async function runCall(service: IdentityService, call: IdentityCallHandler, request: FastifyRequest): Promise<object> {
  const { annotate, clientNetwork, logEvent } = service;
  let reportedUserId: string | undefined;
  const report: ReportSecurityEvent = (event, fields) => {
    reportedUserId = fields.userId;
    annotate?.(request, { userId: reportedUserId });
    logEvent?.(request, event, fields);
  };
  const body = requireObjectBody(request.body);
  const result: { localId?: string; user_id?: string } = await call(service, body, clientNetwork(request.ip), report);
  annotate?.(request, { userId: reportedUserId ?? result.localId ?? result.user_id });
  return result;
}

/** Serves the part of Google's Identity Toolkit and Secure Token services that the Firebase SDK uses. */
export function identityPlugin(service: IdentityService): FastifyPluginAsync {
  return async (app) => {
    registerBodyParsers(app);
    app.setErrorHandler(createErrorHandler(service));
    app.addHook('onRoute', (route) => {
      route.bodyLimit = BODY_LIMIT;
      route.schema = { hide: true };
    });
    app.addHook('onRequest', async (_request, reply) => void reply.header('cache-control', 'no-store'));
    // In the router's patterns, a single colon starts a parameter, and a double colon is a literal colon.
    for (const [name, call] of Object.entries(ACCOUNT_CALLS)) {
      app.post(`${TOOLKIT_PATH}/accounts::${name}`, (request) => runCall(service, call, request));
    }
    app.post('/securetoken.googleapis.com/v1/token', (request) => runCall(service, refresh, request));
    app.get(`${TOOLKIT_PATH}/.well-known/jwks.json`, async (_request, reply) => {
      reply.header('cache-control', 'public, max-age=300');
      return getPublicKeys(service);
    });
    servePageFiles(app, service, {
      '/__/auth/action': 'action.html',
      '/__/auth/action.client.js': 'action.client.js',
      '/__/auth/page.css': 'page.css',
    });
    if (service.demo) registerGoogleChooser(app, service);
  };
}
