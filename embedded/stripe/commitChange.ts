import { DatabaseError } from 'pg';
import type Stripe from 'stripe';
import type { SandboxAnswer, SandboxCall } from './call';
import { keptAnswer } from './idempotency';

/** What a call does, in SQL whose rows are named `done`; its values come after those of the rest. */
export interface Change {
  name: string;
  done: string;
  values: unknown[];
}

/** Nothing was done, since the intent is not any more as it was read. */
export class ChangedMeanwhile extends Error {}

/** How many values come before the change's own. */
const OTHERS = 7;

/** The places of the change's own values. */
export const places = (many: number) => Array.from({ length: many }, (_, at) => `$${OTHERS + 1 + at}`);

/**
 * The change, its events and the answer to its key, or none of them: a key that was used undoes all. An event that
 * nobody wants is not sent.
 */
const statement = ({ name, done }: Change) => ({
  name: `sandbox ${name}`,
  text: `
with done as (${done}),
told as (
  insert into sandbox_events (id, type, body, next_attempt_at, created_at, delivered_at)
  select e->>'id', e->>'type', e, $1, $1, case when e->>'type' <> all($7::text[]) then $1::timestamptz end
  from done, jsonb_array_elements($2::jsonb) e
), kept as (
  insert into sandbox_idempotency (key, request_hash, status, body, created_at)
  select $3, $4, $5::integer, $6::jsonb, $1 from done where $3::text is not null
)
select from done`,
});

export async function commitChange(
  call: SandboxCall,
  change: Change,
  answer: SandboxAnswer,
  events: Stripe.Event[] = [],
): Promise<SandboxAnswer> {
  const { key, now, db, wantedEvents } = call;
  const kept = [key?.name, key?.requestHash, answer.status, key && JSON.stringify(answer.body)];
  const values = [now, JSON.stringify(events), ...kept, wantedEvents, ...change.values];
  try {
    const { rowCount } = await db.$client.query({ ...statement(change), values });
    if (!rowCount) throw new ChangedMeanwhile();
    return answer;
  } catch (error) {
    const used = error instanceof DatabaseError && error.constraint === 'sandbox_idempotency_pkey';
    if (key && used) return keptAnswer(call, key);
    throw error;
  }
}

/** An answer that changes nothing has a key too. */
export const onlyAnswer = (call: SandboxCall, answer: SandboxAnswer): Promise<SandboxAnswer> | SandboxAnswer =>
  call.key ? commitChange(call, { name: 'answer', done: 'select', values: [] }, answer) : answer;
