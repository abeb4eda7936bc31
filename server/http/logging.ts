import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import pino, { type DestinationStream, type Logger } from 'pino';
import type { Settings } from '../settings';
import { isServedFromMemory, type App } from './fastify';
import type { Metrics } from './metrics';
import { hasForwardedAddress, networkOf } from './network';

const SECRET_PATHS = ['authorization', 'password', 'token', 'idToken', 'refreshToken', 'clientSecret', 'client_secret'];

interface LoggedError extends Error {
  code?: string;
}

/** Drizzle adds the parameters of a failed statement, which are personal data. The statement is enough. */
const STATEMENT_PARAMETERS = /\nparams: [\s\S]*$/;

/** Picks the fields to log. The whole error object can contain a connection and its settings. */
function serializeError({ name, message, code, stack, cause }: LoggedError): object {
  const withoutParameters = message.replace(STATEMENT_PARAMETERS, '');
  return {
    name,
    message: withoutParameters,
    code,
    stack: stack?.replace(message, () => withoutParameters),
    ...(cause instanceof Error && { cause: serializeError(cause) }),
  };
}

/** Writes one JSON object per line, or pretty lines on a terminal. */
export function makeLogger(level: string, pretty: boolean, destination?: DestinationStream): Logger {
  const options = {
    level,
    serializers: { err: serializeError },
    redact: { paths: SECRET_PATHS.flatMap((path) => [path, `*.${path}`]), censor: '[secret]' },
    ...(pretty && {
      transport: { target: 'pino-pretty', options: { ignore: 'pid,hostname', translateTime: 'HH:MM:ss' } },
    }),
  };
  return destination ? pino(options, destination) : pino(options);
}

/** A request id has five letters of this process and a count, so that it is short enough to read out. */
const ID_LETTERS = 'abcdefghjkmnpqrstvwxyz23456789';
const processTag = [...randomBytes(5)].map((byte) => ID_LETTERS[byte % ID_LETTERS.length]).join('');
let requestCount = 0;

export const nextRequestId = () => `${processTag}-${(++requestCount).toString(36)}`;

const SLOW_MS = 500;
const REFUSED = [401, 403, 429];

const isRead = ({ method }: FastifyRequest) => method === 'GET' || method === 'HEAD';
/** Reads that need no sign-in are only logged when they fail or are slow. */
const isPublicRead = (request: FastifyRequest) => {
  const { config, url } = request.routeOptions;
  return isRead(request) && (request.headers.authorization === undefined || isServedFromMemory(config) || !url);
};

/** The person and the network are only logged for writes and refusals. */
function callerOf(request: FastifyRequest, status: number) {
  if (isRead(request) && !REFUSED.includes(status)) return {};
  return { userId: request.user?.id ?? request.userId, network: networkOf(request.ip) };
}

/** Logs and measures each request. It never logs a header, a query or a body. */
export function registerRequestLogging(app: App, { metrics }: { metrics: Metrics }): void {
  app.addHook('onResponse', (request: FastifyRequest, reply: FastifyReply, done) => {
    const { statusCode: status, elapsedTime: ms } = reply;
    const route = request.routeOptions.url ?? 'page';
    metrics.observe(route, request.method, status, ms / 1000);
    const isFine = status < 500 && !REFUSED.includes(status) && ms < SLOW_MS;
    if (isFine && isPublicRead(request)) return done();
    const { id: reqId, method, refusalCode: code } = request;
    const line = { reqId, method, route, status, ms: Math.round(ms * 10) / 10, ...callerOf(request, status), code };
    request.log.info(line, 'request');
    done();
  });
}

/** Warns once about a proxy without TRUST_PROXY, because all customers then share one address and one limit. */
export function registerProxyWarning(app: App, { trustProxy }: Settings): void {
  if (trustProxy.length > 0) return;
  let isLogged = false;
  app.addHook('onRequest', (request, _reply, done) => {
    if (!isLogged && hasForwardedAddress(request)) {
      isLogged = true;
      request.log.warn({ reqId: request.id }, 'request came through a proxy, but TRUST_PROXY is not set');
    }
    done();
  });
}
