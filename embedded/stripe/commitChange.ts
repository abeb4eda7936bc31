import { DatabaseError } from 'pg';
import type Stripe from 'stripe';
import type { ChangeContext, SandboxAnswer, SandboxCall } from './call';
import { storedAnswer } from './idempotency';

/** The change that a call makes: a statement that returns a row if it took effect, and its parameters. */
export interface Change {
  name: string;
  sql: string;
  values: unknown[];
  /** A second statement of the same change. It selects from `change`, so it runs only if the first one took effect. */
  also?: string;
}

/** Thrown when nothing was changed, because the intent was modified after it was read. */
export class ConcurrentChange extends Error {}

/** The number of parameters that every change shares. Its own parameters follow them. */
const SHARED_VALUES = 7;

/** The placeholders of a change's own parameters. `after` skips those of its first statement. */
export const placeholders = (count: number, after = 0) =>
  Array.from({ length: count }, (_, index) => `$${SHARED_VALUES + 1 + after + index}`);

/**
 * Makes the change, stores its events and stores the response with the idempotency key, or does none of it. A key that
 * was already used rolls everything back. An event of an unwanted type is stored as delivered, so it is never sent.
 */
const changeStatement = ({ name, sql, also }: Change) => ({
  name: `sandbox ${name}`,
  text: `
with change as (${sql}),${also ? ` also as (${also}),` : ''}
stored_events as (
  insert into sandbox_events (id, type, body, next_attempt_at, created_at, delivered_at)
  select e->>'id', e->>'type', e, $1, $1, case when e->>'type' <> all($7::text[]) then $1::timestamptz end
  from change, jsonb_array_elements($2::jsonb) e
), stored_answer as (
  insert into sandbox_idempotency (key, request_hash, status, body, created_at)
  select $3, $4, $5::integer, $6::jsonb, $1 from change where $3::text is not null
)
select from change`,
});

export async function commitChange(
  call: ChangeContext,
  change: Change,
  answer: SandboxAnswer,
  events: Stripe.Event[] = [],
): Promise<SandboxAnswer> {
  const { key, now, db, wantedEvents } = call;
  const stored = [key?.name, key?.requestHash, answer.status, key && JSON.stringify(answer.body)];
  const values = [now, JSON.stringify(events), ...stored, wantedEvents, ...change.values];
  try {
    const { rowCount } = await db.$client.query({ ...changeStatement(change), values });
    if (!rowCount) throw new ConcurrentChange();
    return answer;
  } catch (error) {
    const isKeyUsed = error instanceof DatabaseError && error.constraint === 'sandbox_idempotency_pkey';
    if (key && isKeyUsed) return storedAnswer(call, key);
    throw error;
  }
}

/** Stores the response with its idempotency key, even though the call changes nothing. */
export const answerWithoutChange = (
  call: SandboxCall,
  answer: SandboxAnswer,
): Promise<SandboxAnswer> | SandboxAnswer =>
  call.key ? commitChange(call, { name: 'answer', sql: 'select', values: [] }, answer) : answer;
