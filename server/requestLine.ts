import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from './deps';
import type { App } from './typed';

const SLOW_MS = 500;
/** Reads that anyone may make: a line only when they fail or are slow. */
const isPublicRead = ({ method, headers }: FastifyRequest) =>
  (method === 'GET' || method === 'HEAD') && headers.authorization === undefined;

/** One line and one measurement a request; never a header, a query or a body. */
export function useRequestLine(app: App, { metrics }: Deps): void {
  app.addHook('onResponse', (request: FastifyRequest, reply: FastifyReply, done) => {
    const ms = reply.elapsedTime;
    const route = request.routeOptions.url ?? 'page';
    metrics.observe(route, request.method, reply.statusCode, ms / 1000);
    if (isPublicRead(request) && reply.statusCode < 500 && ms < SLOW_MS) return done();
    const { id: reqId, method } = request;
    request.log.info({ reqId, method, route, status: reply.statusCode, ms: Math.round(ms * 10) / 10 }, 'request');
    done();
  });
}
