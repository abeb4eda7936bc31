import { hasForwardedAddress } from './network';
import type { Settings } from '../settings';
import type { App } from './fastify';

/** Behind a proxy that nobody named, all customers have one address, and one limit: said once. */
export function useProxyNotice(app: App, { trustProxy }: Settings): void {
  if (trustProxy.length > 0) return;
  let isSaid = false;
  app.addHook('onRequest', (request, _reply, done) => {
    if (!isSaid && hasForwardedAddress(request)) {
      isSaid = true;
      request.log.warn(
        'A request came through a proxy: set TRUST_PROXY to its address, or all its customers count as one.',
      );
    }
    done();
  });
}
