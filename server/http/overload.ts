import { statfs } from 'node:fs/promises';
import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { isServedFromMemory, type App } from './fastify';
import { storageFull, unavailable } from './problems';

const LAG_CHECK_MS = 100;
/** New calls are refused for this long, so that the server can finish what it has. */
const SHED_MS = 1000;

/**
 * Answers 503 while the event loop lags, except to requests for which `isExempt` holds. The loop lags when it is late
 * twice in a row: one long moment is no overload. Neither is the server's own start, so the check starts on listen.
 */
export function registerLoadShedding(app: App, maxLagMs: number, isExempt: (request: FastifyRequest) => boolean): void {
  let until = 0;
  let timer: NodeJS.Timeout | undefined;
  app.addHook('onListen', (done) => {
    let last = performance.now();
    let wasLate = false;
    timer = setInterval(() => {
      const now = performance.now();
      const isLate = now - last - LAG_CHECK_MS > maxLagMs;
      if (isLate && wasLate) until = now + SHED_MS;
      wasLate = isLate;
      last = now;
    }, LAG_CHECK_MS).unref();
    done();
  });
  app.addHook('onClose', (_app, done) => {
    clearInterval(timer);
    done();
  });
  app.addHook('onRequest', (request, _reply, done) => {
    done(performance.now() < until && !isExempt(request) ? unavailable() : undefined);
  });
}

/**
 * Answers 503 to a request that has no answer after this time. An answer that has begun continues at its reader's pace.
 * Fastify's own `handlerTimeout` forgets a request as soon as its body was read (fastify/fastify#6725), cuts answers to
 * slow readers, and costs a seventh of an order (docs/decisions/012-answer-in-time.md). Pages, which have no route, and
 * answers from memory are sent at once.
 */
export function registerAnswerTimeout(app: App, withinMs: number): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404 || isServedFromMemory(request.routeOptions.config)) return done();
    const timeout = setTimeout(() => {
      if (!reply.sent && !reply.raw.headersSent) reply.send(unavailable());
    }, withinMs);
    reply.raw.once('close', () => clearTimeout(timeout));
    done();
  });
}

const NEEDED_BYTES = 128 * 1024 * 1024;
const DISK_CHECK_MS = 1000;
const READS = ['GET', 'HEAD', 'OPTIONS'];

/** How many bytes are left for the database. */
export type FreeBytes = () => Promise<number>;

export const freeIn =
  (folder: string): FreeBytes =>
  async () => {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  };

/** Refuses writes well before PostgreSQL cannot extend its log, because it would stop altogether. Reads go on. */
export function registerDiskGuard(app: App, freeBytes: FreeBytes | undefined, log: Logger): void {
  if (!freeBytes) return;
  let checkedAt = -Infinity;
  let wasFull = false;
  let check = Promise.resolve(false);

  async function isFull() {
    const full = (await freeBytes!()) < NEEDED_BYTES;
    if (full && !wasFull)
      log.error('less than 128 MB are left for the database: nothing new is taken until there is more');
    if (wasFull && !full) log.warn('there is room for the database again');
    return (wasFull = full);
  }

  app.addHook('onRequest', async ({ method }) => {
    if (READS.includes(method)) return;
    if (performance.now() - checkedAt > DISK_CHECK_MS) {
      checkedAt = performance.now();
      check = isFull();
    }
    if (await check) throw storageFull();
  });
}
