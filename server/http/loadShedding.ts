import type { FastifyRequest } from 'fastify';
import { unavailable } from './problems';
import type { App } from './fastify';

const LOOK_MS = 100;
/** So long nobody is let in after the server was late, that it may finish what it has. */
const HOLD_MS = 1000;

/**
 * Whoever comes while the server is late is asked to come again, but for whom `isAlways` names. Late is who comes late twice in
 * a row: one long moment is no load, and neither is the server's own start, so that it looks from when it listens.
 */
export function useLoadShedding(app: App, maxLagMs: number, isAlways: (request: FastifyRequest) => boolean): void {
  let until = 0;
  let timer: NodeJS.Timeout | undefined;
  app.addHook('onListen', (done) => {
    let last = performance.now();
    let wasLate = false;
    timer = setInterval(() => {
      const now = performance.now();
      const isLate = now - last - LOOK_MS > maxLagMs;
      if (isLate && wasLate) until = now + HOLD_MS;
      wasLate = isLate;
      last = now;
    }, LOOK_MS).unref();
    done();
  });
  app.addHook('onClose', (_app, done) => {
    clearInterval(timer);
    done();
  });
  app.addHook('onRequest', (request, _reply, done) => {
    done(performance.now() < until && !isAlways(request) ? unavailable() : undefined);
  });
}
