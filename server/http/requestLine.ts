import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../deps';
import { networkOf } from './network';
import { isServedFromMemory, type App } from './fastify';

const SLOW_MS = 500;
const REFUSED = [401, 403, 429];

const isRead = ({ method }: FastifyRequest) => method === 'GET' || method === 'HEAD';
/** Reads that anyone may make, signed in or not: a line only when they fail or are slow. */
const isPublicRead = (request: FastifyRequest) => {
  const { config, url } = request.routeOptions;
  return isRead(request) && (request.headers.authorization === undefined || isServedFromMemory(config) || !url);
};

/** Who it was and from where: for writes and refusals alone. */
function callerOf(request: FastifyRequest, status: number) {
  if (isRead(request) && !REFUSED.includes(status)) return {};
  return { userId: request.user?.id ?? request.userId, network: networkOf(request.ip) };
}

/** One line and one measurement a request; never a header, a query or a body. */
export function useRequestLine(app: App, { metrics }: Deps): void {
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
