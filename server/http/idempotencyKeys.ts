import { and, eq } from 'drizzle-orm';
import type { FastifyRequest } from 'fastify';
import { createHash } from 'node:crypto';
import type { Db, Tx } from '../db/database';
import { idempotencyKeys } from '../db/schema';
import { defineProblem } from './problems';

/** A request that may be sent again with the same idempotency key if its response was lost. */
export interface IdempotentCall {
  userId: string;
  call: 'POST /order' | 'POST /order/refund' | 'PATCH /tool' | 'POST /tool/import' | 'PUT /order/shipment';
  /** Undefined if the client sent none. Then each request is a new one. */
  key: string | undefined;
  body: object;
}

const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

const idempotencyKeyReused = defineProblem(
  422,
  'idempotency_key_reused',
  'This Idempotency-Key was already used for a different request. Send a new key with each new request.',
);
const invalidIdempotencyKey = defineProblem(
  422,
  'validation',
  'The Idempotency-Key must be 1 to 255 printable ASCII characters without spaces.',
  { errors: [{ field: 'idempotency-key', message: 'must be 1 to 255 printable ASCII characters without spaces.' }] },
);

export function idempotencyKeyOf({ headers }: FastifyRequest): string | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || !IDEMPOTENCY_KEY.test(key)) throw invalidIdempotencyKey();
  return key;
}

const sortedEntries = (fields: object) => Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1));
const sortFields = (_name: string, value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(sortedEntries(value))
    : value;

/** Sorts the fields, so that their order in the body does not matter. */
export const hashOfBody = (body: object) =>
  createHash('sha256')
    .update(JSON.stringify(sortedEntries(body), sortFields))
    .digest('base64url');

/**
 * @returns the row with the first answer to this key, or undefined if the key is new
 * @throws 422 if the key was used for a request with a different body
 */
export async function findStoredAnswer(db: Db | Tx, { userId, call, key, body }: IdempotentCall) {
  if (key === undefined) return undefined;
  const isThisCall = and(
    eq(idempotencyKeys.userId, userId),
    eq(idempotencyKeys.call, call),
    eq(idempotencyKeys.key, key),
  );
  const [stored] = await db.select().from(idempotencyKeys).where(isThisCall);
  if (stored && stored.bodyHash !== hashOfBody(body)) throw idempotencyKeyReused();
  return stored;
}

/**
 * Does work once for each key. The transaction must hold a lock that the same call would wait for.
 * @returns the answer of the first time
 */
export async function doOnce<T extends object>(
  tx: Tx,
  { userId, call, key, body }: IdempotentCall,
  work: () => Promise<T>,
): Promise<T> {
  const stored = await findStoredAnswer(tx, { userId, call, key, body });
  if (stored) return stored.answer as T;
  const answer = await work();
  if (key !== undefined)
    await tx.insert(idempotencyKeys).values({ userId, call, key, bodyHash: hashOfBody(body), answer });
  return answer;
}
