import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { StatementTime } from '../db/statementTimes';
import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** The user of the request, once a token or a password has proved who it is. */
    userId?: string;
    /** The response's error code. */
    refusalCode?: string;
    /** For the log: the id of the order or payment intent of this request. Values that are not ids are not logged. */
    orderId?: string;
    intentId?: string;
    /** The statements that the request ran, with LOG_LEVEL=debug. */
    statements?: StatementTime[];
  }
}

/** A Fastify instance that infers the types of handlers from their schemas. */
export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

/** Marks a route that responds from memory, without waiting. */
export const SERVED_FROM_MEMORY = { servedFromMemory: true };
/** Fastify copies the config of a route when it registers the route, so comparing by identity does not work. */
export const isServedFromMemory = (config: object = {}) => 'servedFromMemory' in config;
