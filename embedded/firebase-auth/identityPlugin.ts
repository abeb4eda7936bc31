import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify';
import type {} from '@fastify/swagger';
import { asBody } from './body';
import { createAuthUri } from './calls/createAuthUri';
import { deleteAccount } from './calls/deleteAccount';
import { lookup } from './calls/lookup';
import { refresh } from './calls/refresh';
import { sendOobCode } from './calls/sendOobCode';
import { signInWithIdp } from './calls/signInWithIdp';
import { signInWithPassword } from './calls/signInWithPassword';
import { signUp } from './calls/signUp';
import { update } from './calls/update';
import { answerError } from './identityErrors';
import { chooser } from './google/chooser';
import { publicKeys } from './signingKeys';
import type { IdentityCall, Service, ReportSecurityEvent } from './service';

const TOOLKIT = '/identitytoolkit.googleapis.com/v1';
const BODY_LIMIT = 16 * 1024;

const ACCOUNT_CALLS: Record<string, IdentityCall> = {
  signUp,
  signInWithPassword,
  signInWithIdp,
  lookup,
  update,
  createAuthUri,
  sendOobCode,
  delete: deleteAccount,
};

function readBodies(app: FastifyInstance) {
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

/** Runs a call, and says for the request's line in the log whose account it was about. */
async function run(service: Service, call: IdentityCall, request: FastifyRequest): Promise<object> {
  const { annotate, clientNetwork, logEvent } = service;
  let reported: string | undefined;
  const report: ReportSecurityEvent = (event, fields) => {
    reported = fields.userId;
    annotate?.(request, { userId: reported });
    logEvent?.(request, event, fields);
  };
  const body = asBody(request.body);
  const result: { localId?: string; user_id?: string } = await call(service, body, clientNetwork(request.ip), report);
  annotate?.(request, { userId: reported ?? result.localId ?? result.user_id });
  return result;
}

/** The part of Google's Identity Toolkit and Secure Token services that the Firebase SDK uses. */
export function identityPlugin(service: Service): FastifyPluginAsync {
  return async (app) => {
    readBodies(app);
    app.setErrorHandler(answerError(service));
    app.addHook('onRoute', (route) => {
      route.bodyLimit = BODY_LIMIT;
      route.schema = { hide: true };
    });
    app.addHook('onRequest', async (_request, reply) => void reply.header('cache-control', 'no-store'));
    // A colon would be a parameter to the router: doubled, it is a colon.
    for (const [name, call] of Object.entries(ACCOUNT_CALLS)) {
      app.post(`${TOOLKIT}/accounts::${name}`, (request) => run(service, call, request));
    }
    app.post('/securetoken.googleapis.com/v1/token', (request) => run(service, refresh, request));
    app.get(`${TOOLKIT}/.well-known/jwks.json`, async (_request, reply) => {
      reply.header('cache-control', 'public, max-age=300');
      return publicKeys(service);
    });
    if (service.demo) chooser(app, service);
  };
}
