import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify';

/** Fastify whose handlers know the types of their schemas. */
export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

/** Of a route that answers from memory, at once: nothing that could last too long. */
export const READY = { ready: true };
/** Once registered, a route has a copy of what it was given. */
export const isReady = (config: object = {}) => 'ready' in config;
