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

/** Marks a route that answers from memory, without waiting. */
export const SERVED_FROM_MEMORY = { servedFromMemory: true };
/** Fastify copies the config of a route when it registers the route, so identity does not work. */
export const isServedFromMemory = (config: object = {}) => 'servedFromMemory' in config;
