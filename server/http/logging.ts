import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import pino, { type DestinationStream, type Logger } from 'pino';
import type { Settings } from '../settings';
import { isServedFromMemory, type App } from './fastify';
import type { Metrics } from './metrics';
import { hasForwardedAddress, networkOf } from './network';

const SECRET_PATHS = ['authorization', 'password', 'token', 'idToken', 'refreshToken', 'clientSecret', 'client_secret'];

interface Logged extends Error {
  code?: string;
}

/** The parameters of a failed statement are people's data. The statement is enough. */
const VALUES = /\nparams: [\s\S]*$/;

/** Says what went wrong and where. The whole error object can hold a connection and its settings. */
function brief({ name, message, code, stack, cause }: Logged): object {
  const said = message.replace(VALUES, '');
  return {
    name,
    message: said,
    code,
    stack: stack?.replace(message, () => said),
    ...(cause instanceof Error && { cause: brief(cause) }),
  };
}

/** Writes one JSON object per line, or pretty lines on a terminal. */
export function makeLogger(level: string, pretty: boolean, destination?: DestinationStream): Logger {
  const options = {
    level,
    serializers: { err: brief },
    redact: { paths: SECRET_PATHS.flatMap((path) => [path, `*.${path}`]), censor: '[secret]' },
    ...(pretty && {
      transport: { target: 'pino-pretty', options: { ignore: 'pid,hostname', translateTime: 'HH:MM:ss' } },
    }),
  };
  return destination ? pino(options, destination) : pino(options);
}

/** Five letters of this process and a count: short enough to read out. */
const ID_LETTERS = 'abcdefghjkmnpqrstvwxyz23456789';
const processTag = [...randomBytes(5)].map((byte) => ID_LETTERS[byte % ID_LETTERS.length]).join('');
let requests = 0;

export const nextRequestId = () => `${processTag}-${(++requests).toString(36)}`;

const SLOW_MS = 500;
const REFUSED = [401, 403, 429];

const isRead = ({ method }: FastifyRequest) => method === 'GET' || method === 'HEAD';
/** Reads that anyone may make, signed in or not. They get a line only when they fail or are slow. */
const isPublicRead = (request: FastifyRequest) => {
  const { config, url } = request.routeOptions;
  return isRead(request) && (request.headers.authorization === undefined || isServedFromMemory(config) || !url);
};

/** The person and the network of a request: only of writes and refusals. */
function callerOf(request: FastifyRequest, status: number) {
  if (isRead(request) && !REFUSED.includes(status)) return {};
  return { userId: request.user?.id ?? request.userId, network: networkOf(request.ip) };
}

/** Writes one line and one measurement per request, and never a header, a query or a body. */
export function registerRequestLine(app: App, { metrics }: { metrics: Metrics }): void {
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

/** Warns once when requests come through a proxy without TRUST_PROXY: all customers then share one address and one limit. */
export function registerProxyNotice(app: App, { trustProxy }: Settings): void {
  if (trustProxy.length > 0) return;
  let isLogged = false;
  app.addHook('onRequest', (request, _reply, done) => {
    if (!isLogged && hasForwardedAddress(request)) {
      isLogged = true;
      request.log.warn(
        'A request came through a proxy: set TRUST_PROXY to its address, or all its customers count as one.',
      );
    }
    done();
  });
}
