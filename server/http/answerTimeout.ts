import { unavailable } from './problems';
import { isReady, type App } from './fastify';

/**
 * Whoever is still without an answer after so long is told to come again; one that has begun goes on at its reader's
 * pace. Not Fastify's own `handlerTimeout`: it forgets a request as soon as its body was read
 * (fastify/fastify#6725), cuts what a slow line is still fetching, and is a seventh of what an order costs Node.
 * Pages, which no route is for, and what is ready are sent at once.
 */
export function useAnswerInTime(app: App, withinMs: number): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404 || isReady(request.routeOptions.config)) return done();
    const late = setTimeout(() => {
      if (!reply.sent && !reply.raw.headersSent) reply.send(unavailable());
    }, withinMs);
    reply.raw.once('close', () => clearTimeout(late));
    done();
  });
}
