import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import pino, { type DestinationStream, type Logger } from 'pino';
import { isServedFromMemory, type App } from './fastify';
import type { Metrics } from './metrics';
import { listStatementsOf } from '../db/statementTimes';
import { hasForwardedAddress, networkOf } from './network';
import { UUID } from './textValidation';

const SECRET_PATHS = ['authorization', 'password', 'token', 'idToken', 'refreshToken', 'clientSecret', 'client_secret'];

interface LoggedError extends Error {
  code?: string;
}

/**
 * Drizzle appends the parameters of a failed statement to its message. They can be personal data, so they are removed.
 */
const STATEMENT_PARAMETERS = /\nparams: [\s\S]*$/;

/** Copies only known fields, because an error object can contain a connection with its password. */
function serializeError(error: unknown): object {
  // A promise can be rejected with anything.
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, code, stack, cause } = error as LoggedError;
  const withoutParameters = message.replace(STATEMENT_PARAMETERS, '');
  return {
    name,
    message: withoutParameters,
    code,
    stack: stack?.replace(message, () => withoutParameters),
    ...(cause instanceof Error && { cause: serializeError(cause) }),
  };
}

const PRETTY = { target: 'pino-pretty', options: { ignore: 'pid,hostname', translateTime: 'HH:MM:ss' } };

/**
 * Writes to standard output: formatted lines on a terminal, otherwise one JSON object per line. More outputs can be
 * added.
 */
export const openLogOutput = (pretty: boolean) =>
  pino.multistream({
    level: 'trace',
    stream: pretty ? (pino.transport(PRETTY) as DestinationStream) : pino.destination(1),
  });

export const createLogger = (level: string, output: DestinationStream = pino.destination(1)): Logger =>
  pino(
    {
      level,
      serializers: { err: serializeError },
      redact: { paths: SECRET_PATHS.flatMap((path) => [path, `*.${path}`]), censor: '[secret]' },
    },
    output,
  );

/**
 * A request id consists of a random tag of this process and a counter. It is short, and its tag has no characters that
 * look alike, so that a customer can read it out on the phone.
 */
const ID_LETTERS = 'abcdefghjkmnpqrstvwxyz23456789';
const processTag = [...randomBytes(5)].map((byte) => ID_LETTERS[byte % ID_LETTERS.length]).join('');
let requestCount = 0;

export const nextRequestId = () => `${processTag}-${(++requestCount).toString(36)}`;

const SLOW_REQUEST_MS = 500;
const REFUSED_STATUSES = [401, 403, 429];

const isRead = ({ method }: FastifyRequest) => method === 'GET' || method === 'HEAD';
/**
 * Recognizes reads without sign-in, reads from memory, and pages. There are so many that only refused, failed and slow
 * ones are logged.
 */
const isPublicRead = (request: FastifyRequest) => {
  const { config, url } = request.routeOptions;
  return isRead(request) && (request.headers.authorization === undefined || isServedFromMemory(config) || !url);
};

/**
 * To keep personal data out of the log, only writes and refused requests are logged with the user id and the network.
 */
function callerOf(request: FastifyRequest, status: number) {
  if (isRead(request) && !REFUSED_STATUSES.includes(status)) return {};
  return { userId: request.user?.id ?? request.userId, network: networkOf(request.ip) };
}

const TRACE_PARENT = /^00-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$/;

/** @returns the id of the page load, which the page sends in the `traceparent` header of each request */
const traceOf = ({ headers }: FastifyRequest) => TRACE_PARENT.exec(String(headers['traceparent']))?.[1];

/** Most requests about an order have the order's id in their URL. The others set `request.orderId`. */
function orderIdOf({ orderId, params, routeOptions }: FastifyRequest): string | undefined {
  const fromUrl = routeOptions.url?.startsWith('/order/:id') ? (params as { id?: string }).id : undefined;
  const id = orderId ?? fromUrl;
  return id !== undefined && UUID.test(id) ? id : undefined;
}

/**
 * Lists the statements that each request runs. This slows down every promise in the server, so it runs only with
 * LOG_LEVEL=debug (decision 018). Parsing a body leaves the async context, so a second hook enters it again after that.
 */
export function registerStatementTimes(app: App): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (isServedFromMemory(request.routeOptions.config)) return done();
    request.statements = [];
    listStatementsOf(request.statements, done);
  });
  app.addHook('preValidation', (request, _reply, done) =>
    request.statements ? listStatementsOf(request.statements, done) : done(),
  );
}

/**
 * Measures each request and logs it, except for ordinary public reads. Query strings, bodies and headers are never
 * logged, except for a valid trace id.
 */
export function registerRequestLogging(app: App, { metrics }: { metrics: Metrics }): void {
  app.addHook('onResponse', (request: FastifyRequest, reply: FastifyReply, done) => {
    const { statusCode: status, elapsedTime: ms } = reply;
    const route = request.routeOptions.url ?? 'page';
    metrics.observe(route, request.method, status, ms / 1000);
    const isFine = status < 500 && !REFUSED_STATUSES.includes(status) && ms < SLOW_REQUEST_MS;
    if (isFine && isPublicRead(request)) return done();
    const { id: reqId, method, refusalCode: code, intentId, statements } = request;
    const [trace, orderId] = [traceOf(request), orderIdOf(request)];
    const about = { ...callerOf(request, status), code, trace, orderId, intentId, statements };
    const line = { reqId, method, route, status, ms: Math.round(ms * 10) / 10, ...about };
    request.log.info(line, 'request');
    done();
  });
}

/**
 * Warns once if requests come through a proxy that TRUST_PROXY does not name. All customers then seem to have the proxy's
 * IP address and share its rate limit.
 */
export function registerProxyWarning(app: App): void {
  let isLogged = false;
  app.addHook('onRequest', (request, _reply, done) => {
    const { remoteAddress } = request.socket;
    if (!isLogged && hasForwardedAddress(request) && request.ip === remoteAddress) {
      isLogged = true;
      request.log.warn({ reqId: request.id }, `request came through ${remoteAddress}, which TRUST_PROXY does not name`);
    }
    done();
  });
}
