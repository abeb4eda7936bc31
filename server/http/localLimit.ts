import type { App } from './fastify';
import { rateLimited } from './problems';
import { networkOf } from './network';
import type { Settings } from '../settings';

const WINDOW_MS = 10_000;
/** Far above what a person or an office behind one address does. */
const REQUESTS_A_WINDOW = 2_000;

/** This process's own brake on one address; what must hold over all copies is counted in the database. */
export function useLocalLimit(app: App, { rateLimit }: Settings): void {
  if (!rateLimit) return;
  let counts = new Map<string, number>();
  let ends = 0;
  app.addHook('onRequest', (request, _reply, done) => {
    const now = performance.now();
    if (now >= ends) {
      counts = new Map();
      ends = now + WINDOW_MS;
    }
    const who = networkOf(request.ip);
    const count = (counts.get(who) ?? 0) + 1;
    counts.set(who, count);
    done(count > REQUESTS_A_WINDOW ? rateLimited(Math.ceil((ends - now) / 1000)) : undefined);
  });
}
