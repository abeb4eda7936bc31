import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendProblem, defineProblem } from './problems';
import { listEmbeddedServices } from '../settings/findSettingContradiction';
import { isFromThisMachine } from './network';
import type { Settings } from '../settings/settings';
import type { App } from './fastify';

const localOnly = defineProblem(
  421,
  'local_only',
  'This shop is a demo or in test mode, so it answers only requests from its own machine. ' +
    'Set DEMO_EXPOSED=on if only you can reach it.',
);

/**
 * Answers a request from another machine with a 421.
 * @returns whether it did
 */
export type RemoteRequestGuard = (request: FastifyRequest, reply: FastifyReply) => boolean;

/**
 * Checks each request, because a tunnel can make a server reachable from the internet even if it listens only on
 * loopback.
 */
export function createRemoteRequestGuard(settings: Settings): RemoteRequestGuard {
  if (settings.exposed || listEmbeddedServices(settings).length === 0) return () => false;
  let isLogged = false;
  return (request, reply) => {
    if (isFromThisMachine(request)) return false;
    if (!isLogged) request.log.warn({ reqId: request.id }, 'request from another machine refused, DEMO_EXPOSED is off');
    isLogged = true;
    sendProblem(localOnly(), request, reply);
    return true;
  };
}

/** Must be registered before any hook that can send a response. */
export function registerLocalOnly(app: App, refuseRemote: RemoteRequestGuard): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (!refuseRemote(request, reply)) done();
  });
}
