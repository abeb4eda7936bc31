import { statfs } from 'node:fs/promises';
import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { isServedFromMemory, type App } from './fastify';
import { storageFull, serviceUnavailable } from './problems';

const LAG_CHECK_INTERVAL_MS = 100;
/** After an overload, new requests are refused for this long, so that the server can finish those that are open. */
const SHED_DURATION_MS = 1000;

/**
 * Answers 503 while the event loop lags, except to exempt requests. The loop must be late twice in a row, because a
 * single long task is no overload. The check begins only when the server listens, because the start of the server
 * blocks the loop.
 */
export function registerLoadShedding(app: App, maxLagMs: number, isExempt: (request: FastifyRequest) => boolean): void {
  let sheddingUntil = 0;
  let timer: NodeJS.Timeout | undefined;
  app.addHook('onListen', (done) => {
    let last = performance.now();
    let wasLate = false;
    timer = setInterval(() => {
      const now = performance.now();
      const isLate = now - last - LAG_CHECK_INTERVAL_MS > maxLagMs;
      if (isLate && wasLate) sheddingUntil = now + SHED_DURATION_MS;
      wasLate = isLate;
      last = now;
    }, LAG_CHECK_INTERVAL_MS).unref();
    done();
  });
  app.addHook('onClose', (_app, done) => {
    clearInterval(timer);
    done();
  });
  app.addHook('onRequest', (request, _reply, done) => {
    done(performance.now() < sheddingUntil && !isExempt(request) ? serviceUnavailable() : undefined);
  });
}

/**
 * Answers 503 if the server has not begun to respond after this time. Once it has begun, a slow client may take as long
 * as it needs. Pages and responses from memory need no timeout, because they do not wait for anything.
 *
 * Fastify's own `handlerTimeout` is not used (decision 018). It no longer applies once the body has been read
 * (https://github.com/fastify/fastify/issues/6725), and it cuts off slow clients.
 */
export function registerResponseTimeout(app: App, timeoutMs: number): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404 || isServedFromMemory(request.routeOptions.config)) return done();
    const timeout = setTimeout(() => {
      if (!reply.sent && !reply.raw.headersSent) reply.send(serviceUnavailable());
    }, timeoutMs);
    reply.raw.once('close', () => clearTimeout(timeout));
    done();
  });
}

const MIN_FREE_BYTES = 128 * 1024 * 1024;
const DISK_CHECK_INTERVAL_MS = 1000;
const READ_METHODS = ['GET', 'HEAD', 'OPTIONS'];

/** @returns how many bytes are free on the database's disk */
export type ReadFreeBytes = () => Promise<number>;

export const createFreeBytesReader =
  (folder: string): ReadFreeBytes =>
  async () => {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  };

/**
 * Refuses writes while less than 128 MiB are free, because PostgreSQL stops if it cannot extend its write-ahead log.
 */
export function registerDiskGuard(app: App, readFreeBytes: ReadFreeBytes | undefined, log: Logger): void {
  if (!readFreeBytes) return;
  let checkedAt = -Infinity;
  let wasFull = false;
  let lastCheck = Promise.resolve(false);

  /** @returns whether the disk is almost full */
  async function checkDisk() {
    const bytes = await readFreeBytes!();
    const isFullNow = bytes < MIN_FREE_BYTES;
    if (isFullNow && !wasFull) log.error({ freeBytes: bytes }, 'disk almost full, writes are refused');
    if (wasFull && !isFullNow) log.warn({ freeBytes: bytes }, 'disk has enough space again');
    return (wasFull = isFullNow);
  }

  app.addHook('onRequest', async ({ method }) => {
    if (READ_METHODS.includes(method)) return;
    if (performance.now() - checkedAt > DISK_CHECK_INTERVAL_MS) {
      checkedAt = performance.now();
      lastCheck = checkDisk();
    }
    if (await lastCheck) throw storageFull();
  });
}
