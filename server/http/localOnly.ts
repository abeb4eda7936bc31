import type { FastifyReply, FastifyRequest } from 'fastify';
import { answer, problem } from './problems';
import { embeddedServices } from '../findContradiction';
import { isFromThisMachine } from './network';
import type { Settings } from '../settings';
import type { App } from './fastify';

const localOnly = problem(
  421,
  'local_only',
  'This shop is a demo or in test mode, so it answers only its own machine. Set DEMO_EXPOSED=on if only you can reach it.',
);

/** Answers 421 to a request that came from elsewhere. @returns whether it did. */
export type RefuseRemote = (request: FastifyRequest, reply: FastifyReply) => boolean;

/** Settings cannot tell who asks: behind a tunnel, a server on loopback is open to everybody. */
export function remoteRefusal(settings: Settings): RefuseRemote {
  if (settings.exposed || embeddedServices(settings).length === 0) return () => false;
  let isLogged = false;
  return (request, reply) => {
    if (isFromThisMachine(request)) return false;
    if (!isLogged) request.log.warn('refused a request from elsewhere: set DEMO_EXPOSED=on if only you can reach this');
    isLogged = true;
    answer(localOnly(), request, reply);
    return true;
  };
}

/** Register it before the hooks that answer, so that no route, file or page is answered first. */
export function registerLocalOnly(app: App, refuseRemote: RefuseRemote): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (!refuseRemote(request, reply)) done();
  });
}
