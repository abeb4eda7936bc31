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
    /** For the log: the user identified by a token or password. */
    userId?: string;
    /** For the log: the `code` of the error response. */
    refusalCode?: string;
    /** For the log: the order or intent that this request is about. An order id is logged only if it is a UUID. */
    orderId?: string;
    intentId?: string;
    /** For the log with LOG_LEVEL=debug: the statements that this request ran. */
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

/** The config of a route that responds from memory, without a database query. */
export const SERVED_FROM_MEMORY = { servedFromMemory: true };
/** Checks for the property instead of comparing the objects, because Fastify copies each route's config. */
export const isServedFromMemory = (config: object = {}) => 'servedFromMemory' in config;
