import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { answerRequest, type SandboxContext } from './answerRequest';
import { DroppedConnection } from './faults';
import { IFRAME_PAGES } from './iframePages';
import type { StripeSandboxOptions } from './sandboxOptions';
import { invalidRequest } from './stripeErrors';

const SCRIPTS = ['stripe', 'card', 'challenge'];
type PluginOptions = Pick<StripeSandboxOptions, 'scriptsFolder' | 'statusOfError' | 'annotate'>;
const HIDDEN_FROM_DOCS = { schema: { hide: true } as object };

/** Browsers revalidate the file at each use. If it has not changed, they get a 304 without a body. */
function sendWithEtag(request: FastifyRequest, reply: FastifyReply, type: string, content: string) {
  const etag = `"${createHash('sha256').update(content).digest('base64url').slice(0, 24)}"`;
  reply.headers({ etag, 'cache-control': 'no-cache' });
  if (request.headers['if-none-match'] === etag) return reply.code(304).send();
  return reply.type(type).send(content);
}

const header = (request: FastifyRequest, name: string) => {
  const value = request.headers[name];
  return typeof value === 'string' ? value : undefined;
};

async function answerCall(
  context: SandboxContext,
  { annotate }: PluginOptions,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const [path = '', query = ''] = request.url.split('?', 2);
  const { status, headers, body } = await answerRequest(context, {
    method: request.method,
    path,
    encodedParameters: request.method === 'POST' ? ((request.body as string | undefined) ?? '') : query,
    headers: {
      authorization: request.headers.authorization,
      idempotencyKey: header(request, 'idempotency-key'),
      clientSecret: header(request, 'forgeline-client-secret'),
    },
  });
  const { error } = body as { error?: { code?: string; type?: string } };
  annotate?.(request, { refusalCode: error?.code ?? error?.type });
  return reply.code(status).headers(headers).send(JSON.stringify(body));
}

/**
 * Closes the socket without a response if a simulated fault drops the connection. Answers any other error in Stripe's
 * format, and logs it if its status is 500 or higher.
 */
function answerError({ statusOfError }: PluginOptions, error: Error, request: FastifyRequest, reply: FastifyReply) {
  if (error instanceof DroppedConnection) {
    reply.hijack();
    return request.raw.socket.destroy();
  }
  const { status } = statusOfError(error);
  if (status === 500) request.log.error({ reqId: request.id, err: error }, 'payment call failed');
  else if (status > 500) request.log.warn({ reqId: request.id, err: error }, 'payment call temporarily unavailable');
  const body =
    status >= 500
      ? { type: 'api_error', message: 'An unknown error occurred.' }
      : invalidRequest(status, 'Invalid request.').error;
  return reply
    .code(status)
    .type('application/json')
    .send(JSON.stringify({ error: body }));
}

export function sandboxPlugin(context: SandboxContext, options: PluginOptions): FastifyPluginAsync {
  return async (app) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
      done(null, body),
    );
    app.setErrorHandler((error: Error, request, reply) => answerError(options, error, request, reply));
    for (const [name, { html, policy }] of Object.entries(IFRAME_PAGES)) {
      app.get(`/v1/sandbox/${name}`, HIDDEN_FROM_DOCS, async (request, reply) =>
        sendWithEtag(request, reply.header('content-security-policy', policy), 'text/html; charset=utf-8', html),
      );
    }
    for (const name of SCRIPTS) {
      const file = join(options.scriptsFolder, `${name}.js`);
      app.get(`/v1/sandbox/${name}.js`, HIDDEN_FROM_DOCS, async (request, reply) =>
        sendWithEtag(request, reply, 'text/javascript; charset=utf-8', await readFile(file, 'utf8')),
      );
    }
    app.all('/v1/*', HIDDEN_FROM_DOCS, (request, reply) => answerCall(context, options, request, reply));
  };
}
