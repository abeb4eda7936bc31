import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from './deps';
import { isReady, type App } from './typed';

const SLOW_MS = 500;
/** Reads that anyone may make, signed in or not: a line only when they fail or are slow. */
const isPublicRead = ({ method, headers, routeOptions: { config, url } }: FastifyRequest) =>
  (method === 'GET' || method === 'HEAD') && (headers.authorization === undefined || isReady(config) || !url);

/** One line and one measurement a request; never a header, a query or a body. */
export function useRequestLine(app: App, { metrics }: Deps): void {
  app.addHook('onResponse', (request: FastifyRequest, reply: FastifyReply, done) => {
    const ms = reply.elapsedTime;
    const route = request.routeOptions.url ?? 'page';
    metrics.observe(route, request.method, reply.statusCode, ms / 1000);
    const isFine = reply.statusCode < 500 && reply.statusCode !== 401 && ms < SLOW_MS;
    if (isFine && isPublicRead(request)) return done();
    const { id: reqId, method } = request;
    request.log.info({ reqId, method, route, status: reply.statusCode, ms: Math.round(ms * 10) / 10 }, 'request');
    done();
  });
}
