import { sql } from 'drizzle-orm';
import type { FastifyRequest } from 'fastify';
import { timingSafeEqual } from 'node:crypto';
import type { Deps } from '../deps';
import { forbidden, serviceUnavailable } from '../http/problems';
import { isFromThisMachine, isLoopback } from '../http/network';
import type { Settings } from '../settings/settings';
import type { App } from '../http/fastify';

export function healthRoutes(app: App, { db, settings, metrics, closing }: Deps): void {
  app.get('/healthz', { schema: { hide: true } }, async (_request, reply) => reply.send({ status: 'alive' }));

  app.get('/readyz', { schema: { hide: true } }, async (_request, reply) => {
    if (closing.aborted) throw serviceUnavailable();
    await db.execute(sql`select 1`);
    return reply.send({ status: 'ready' });
  });

  app.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
    if (!canReadMetrics(request, settings)) throw forbidden();
    return reply.type('text/plain; version=0.0.4; charset=utf-8').send(await metrics.text());
  });
}

/**
 * Without the token, only this machine may read the metrics, and only if PUBLIC_URL is a loopback address. Otherwise a
 * proxy that adds no headers could make requests from the internet look local.
 */
function canReadMetrics(request: FastifyRequest, { metricsToken: token, publicUrl }: Settings): boolean {
  const authorization = Buffer.from(request.headers.authorization ?? '');
  const expected = Buffer.from(`Bearer ${token}`);
  if (token && authorization.length === expected.length && timingSafeEqual(authorization, expected)) return true;
  if (!isLoopback(new URL(publicUrl).hostname) || !isFromThisMachine(request)) return false;
  return isLoopback((request.socket.remoteAddress ?? '').replace(/^::ffff:/, ''));
}
