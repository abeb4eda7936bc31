import { createHash, randomInt, randomUUID } from 'node:crypto';
import type { Order, OrderDraft } from '../../src/contract/entities';
import { nameOf, ownsEmail, type Caller } from '../access';
import type { Deps } from '../deps';
import { emailMismatch, toolNotFound, unavailable } from '../errors';
import { PLACE_BY_ID, PLACE_BY_NAME } from './placeStatement';
import { ambiguousTool, keyReused, priceChanged, unknownToolName } from './refusals';
import { databaseErrorOf, retried } from './retry';

export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const HOUR_MS = 3_600_000;
/** Each lost race means that somebody else's order went through. */
const RACES = 50;
/** Of the places for unpaid orders; looking at all of them costs more the more there are. */
const GUESSES = 4;
const LOST_RACES = ['orders_slot', 'idempotency_keys_user_id_call_key_pk'];

interface Outcome {
  placed: Order | null;
  replayed: Order | null;
  replayedHash: string | null;
  matches: number;
  price: number | null;
}

const hashOf = (draft: OrderDraft) =>
  createHash('sha256')
    .update(JSON.stringify(Object.entries(draft).sort(([a], [b]) => (a < b ? -1 : 1))))
    .digest('base64url');

function valuesOf({ settings, now }: Deps, user: Caller, draft: OrderDraft, key: string | undefined) {
  const { address, phone } = draft;
  const order = { _id: randomUUID(), client: nameOf(user), email: user.email, address, phone };
  return [
    user.id,
    key ?? null,
    hashOf(draft),
    draft.toolId ?? draft.productName,
    draft.totalQuantity,
    draft.price ?? null,
    JSON.stringify(order),
    new Date(now().getTime() + settings.holdHours * HOUR_MS),
    settings.maxUnpaidOrders,
    Array.from({ length: GUESSES }, () => randomInt(1, settings.maxUnpaidOrders + 1)),
  ];
}

/** Undefined: another order took the stock, the place or the key meanwhile. */
async function attempt(deps: Deps, draft: OrderDraft, values: unknown[]): Promise<Outcome | undefined> {
  await deps.before('place order');
  try {
    const { rows } = await retried(() =>
      deps.db.$client.query<Outcome>({ ...(draft.toolId ? PLACE_BY_ID : PLACE_BY_NAME), values }),
    );
    return rows[0];
  } catch (error) {
    const { code, constraint } = databaseErrorOf(error);
    if (code === '23505' && LOST_RACES.includes(constraint ?? '')) return undefined;
    throw error;
  }
}

function answerOf(outcome: Outcome, draft: OrderDraft): Order | undefined {
  if (outcome.replayedHash !== null) {
    if (outcome.replayedHash !== hashOf(draft)) throw keyReused();
    return outcome.replayed!;
  }
  if (outcome.placed) return outcome.placed;
  if (outcome.matches === 0) throw draft.toolId ? toolNotFound() : unknownToolName();
  if (outcome.matches > 1) throw ambiguousTool();
  if (draft.price && outcome.price !== draft.price) throw priceChanged(outcome.price!);
  return undefined;
}

/** The order as it is stored; the same key with the same body has the same answer as the first time. */
export async function placeOrder(deps: Deps, user: Caller, draft: OrderDraft, key: string | undefined): Promise<Order> {
  if (!ownsEmail(user, draft.email ?? user.email ?? '')) throw emailMismatch();
  if (draft.toolId !== undefined && !UUID.test(draft.toolId)) throw toolNotFound();
  for (let race = 0; race < RACES; race++) {
    const outcome = await attempt(deps, draft, valuesOf(deps, user, draft, key));
    const order = outcome && answerOf(outcome, draft);
    if (!order) continue;
    if (outcome.placed && order.price !== null) await deps.catalogue.changed('tools', order.toolId);
    return order;
  }
  throw unavailable();
}
