import { DatabaseError } from 'pg';
import type Stripe from 'stripe';
import type { ChangeContext, SandboxResponse, SandboxCall } from './call';
import { readStoredResponse } from './idempotency';

/** A statement with its parameters. It returns a row if it took effect. */
export interface ChangeStatement {
  name: string;
  sql: string;
  values: unknown[];
  /** A second statement of the same change. It selects from `change`, so it runs only if the first one took effect. */
  also?: string;
}

/** Another call changed the intent after this call had read it, so nothing was written. The call must be repeated. */
export class ConcurrentChange extends Error {}

/** Every change has the parameters $1 to $6 in common. Its own parameters follow them. */
const SHARED_VALUES = 6;

/**
 * The placeholders of a change's own parameters.
 * @param after the number of placeholders that come before these, in an earlier part of the change
 */
export const placeholders = (count: number, after = 0) =>
  Array.from({ length: count }, (_, index) => `$${SHARED_VALUES + 1 + after + index}`);

/**
 * One statement makes the change, stores its events, and stores the response with the idempotency key. If the key is
 * already in use, the insert violates the primary key and nothing is written.
 */
const buildChangeStatement = ({ name, sql, also }: ChangeStatement) => ({
  name: `sandbox ${name}`,
  text: `
with change as (${sql}),${also ? ` also as (${also}),` : ''}
stored_events as (
  insert into embedded_stripe.events (id, type, body, next_attempt_at, created_at)
  select e->>'id', e->>'type', e, $1, $1 from change, jsonb_array_elements($2::jsonb) e
), stored_response as (
  insert into embedded_stripe.idempotency (key, request_hash, status, body, created_at)
  select $3, $4, $5::integer, $6::jsonb, $1 from change where $3::text is not null
)
select from change`,
});

export async function commitChange(
  call: ChangeContext,
  change: ChangeStatement,
  response: SandboxResponse,
  events: Stripe.Event[] = [],
): Promise<SandboxResponse> {
  const { idempotencyKey: key, now, db } = call;
  const responseValues = [key?.storedKey, key?.requestHash, response.status, key && JSON.stringify(response.body)];
  const values = [now, JSON.stringify(events), ...responseValues, ...change.values];
  try {
    const { rowCount } = await db.$client.query({ ...buildChangeStatement(change), values });
    if (!rowCount) throw new ConcurrentChange();
    return response;
  } catch (error) {
    const isKeyUsed = error instanceof DatabaseError && error.constraint === 'sandbox_idempotency_pkey';
    if (key && isKeyUsed) return readStoredResponse(call, key);
    throw error;
  }
}

/** Even if a call changes nothing, its response must be stored, so that a repeated idempotency key gets it again. */
export const respondWithoutChange = (
  call: SandboxCall,
  response: SandboxResponse,
): Promise<SandboxResponse> | SandboxResponse =>
  call.idempotencyKey ? commitChange(call, { name: 'store response', sql: 'select', values: [] }, response) : response;
