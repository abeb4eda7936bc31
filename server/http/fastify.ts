import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whose account the request is about, where a token or a password proved it. */
    userId?: string;
    /** The code of the error that the request was answered with. */
    refusalCode?: string;
  }
}

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
