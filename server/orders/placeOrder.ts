import { and, eq, sql } from 'drizzle-orm';
import { createHash, randomInt, randomUUID } from 'node:crypto';
import type { OrderDraft, PlacedOrder } from '../../src/contract/entities';
import { IDEMPOTENCY_HOURS } from '../../src/contract/limits';
import { nameOf, ownsEmail, type CallerAccount } from '../auth/access';
import { databaseErrorOf, withTransactionRetry } from '../db/retryConflicts';
import { idempotencyKeys } from '../db/schema';
import { emailMismatch, toolNotFound, unavailable } from '../http/problems';
import { UUID } from '../http/textValidation';
import type { OrderContext } from './context';
import { ambiguousTool, keyReused, priceChanged, tooManyUnpriced, unknownToolName } from './orderProblems';
import { PLACE_BY_ID, PLACE_BY_NAME } from './placeOrderStatement';
import { newHoldTimes } from './stock';
import { PLACE_UNPRICED_BY_ID, PLACE_UNPRICED_BY_NAME } from './unpricedStatement';

/** Each lost race means that somebody else's order went through. */
const RACES = 50;
/** Of the places for unpaid orders; looking at all of them costs more the more there are. */
const GUESSES = 4;
/** The statement of an order without a price takes only these, the first ones. */
const UNPRICED_VALUES = 9;
/** Of old idempotency keys, deleted by one statement. */
const FORGOTTEN_AT_ONCE = 5_000;
const HOUR_MS = 3_600_000;
const LOST_RACES = ['orders_slot', 'orders_unpriced_slot', 'idempotency_keys_user_id_call_key_pk'];

interface PlaceOrderResult {
  placed: PlacedOrder | null;
  matches: number;
  price: number | null;
  /** Whether the order can have a price; if so and nothing was placed, somebody else was faster. */
  fits: boolean;
}

type Unpriced = Pick<PlaceOrderResult, 'placed'> & {
  /** Whether its owner has as many orders without a price as allowed, or null when this order can have a price. */
  isFull: boolean | null;
};

const hashOf = (draft: OrderDraft) =>
  createHash('sha256')
    .update(JSON.stringify(Object.entries(draft).sort(([a], [b]) => (a < b ? -1 : 1))))
    .digest('base64url');

function valuesOf({ settings, now }: OrderContext, user: CallerAccount, draft: OrderDraft, key: string | undefined) {
  const { address, phone } = draft;
  const order = { _id: randomUUID(), client: nameOf(user), email: user.email, address, phone };
  const hold = newHoldTimes(now(), settings.holdHours);
  return [
    user.id,
    key ?? null,
    hashOf(draft),
    draft.toolId ?? draft.productName,
    draft.totalQuantity,
    draft.price ?? null,
    JSON.stringify(order),
    settings.maxUnpaidOrders,
    Array.from({ length: GUESSES }, () => randomInt(1, settings.maxUnpaidOrders + 1)),
    hold.until,
    hold.lastAt,
    hold.shortUntil,
    hold.ranOutSince,
  ];
}

type Statement = { name: string; text: string };

/** @returns undefined when a concurrent order took the place or the key */
async function run<T extends object>(
  { db }: OrderContext,
  statement: Statement,
  values: unknown[],
): Promise<T | undefined> {
  try {
    const { rows } = await withTransactionRetry(() => db.$client.query<T>({ ...statement, values }));
    return rows[0];
  } catch (error) {
    const { code, constraint } = databaseErrorOf(error);
    if (code === '23505' && LOST_RACES.includes(constraint ?? '')) return undefined;
    throw error;
  }
}

async function placeUnpriced(
  ctx: OrderContext,
  draft: OrderDraft,
  values: unknown[],
): Promise<PlacedOrder | undefined> {
  await ctx.checkpoint('place unpriced order');
  const statement = draft.toolId ? PLACE_UNPRICED_BY_ID : PLACE_UNPRICED_BY_NAME;
  const outcome = await run<Unpriced>(ctx, statement, values.slice(0, UNPRICED_VALUES));
  if (outcome?.isFull) throw tooManyUnpriced();
  return outcome?.placed ?? undefined;
}

/** @returns the answer that this key had before */
async function firstAnswer({ db }: OrderContext, user: CallerAccount, draft: OrderDraft, key: string) {
  const { userId, call, key: name } = idempotencyKeys;
  const [kept] = await db
    .select()
    .from(idempotencyKeys)
    .where(and(eq(userId, user.id), eq(call, 'POST /order'), eq(name, key)));
  if (kept && kept.bodyHash !== hashOf(draft)) throw keyReused();
  return kept && (kept.answer as PlacedOrder);
}

async function attempt(
  ctx: OrderContext,
  user: CallerAccount,
  draft: OrderDraft,
  key: string | undefined,
): Promise<PlacedOrder | undefined> {
  const values = valuesOf(ctx, user, draft, key);
  await ctx.checkpoint('place order');
  const outcome = await run<PlaceOrderResult>(ctx, draft.toolId ? PLACE_BY_ID : PLACE_BY_NAME, values);
  if (outcome?.placed) {
    await ctx.catalog.changed('tools', outcome.placed.toolId);
    return outcome.placed;
  }
  const answered = key === undefined ? undefined : await firstAnswer(ctx, user, draft, key);
  if (answered || !outcome) return answered;
  refuseUnplaceable(outcome, draft);
  return outcome.fits ? undefined : placeUnpriced(ctx, draft, values);
}

function refuseUnplaceable(outcome: PlaceOrderResult, draft: OrderDraft): void {
  if (outcome.matches === 0) throw draft.toolId ? toolNotFound() : unknownToolName();
  if (outcome.matches > 1) throw ambiguousTool();
  if (draft.price && outcome.price !== draft.price) throw priceChanged(outcome.price!);
}

/** The order as it is stored; the same key with the same body has the same answer as the first time. */
export async function placeOrder(
  ctx: OrderContext,
  user: CallerAccount,
  draft: OrderDraft,
  key: string | undefined,
): Promise<PlacedOrder> {
  if (!ownsEmail(user, draft.email ?? user.email ?? '')) throw emailMismatch();
  if (draft.toolId !== undefined && !UUID.test(draft.toolId)) throw toolNotFound();
  for (let race = 0; race < RACES; race++) {
    const order = await attempt(ctx, user, draft, key);
    if (order) return order;
  }
  throw unavailable();
}

/** A part of the sweep: keys hold for a day. */
export async function forgetOldKeys({ db, now }: OrderContext): Promise<number> {
  const before = new Date(now().getTime() - IDEMPOTENCY_HOURS * HOUR_MS);
  const old = sql`select ctid from ${idempotencyKeys} where ${idempotencyKeys.createdAt} < ${before} limit ${FORGOTTEN_AT_ONCE}`;
  for (let forgotten = 0; ;) {
    const { rowCount } = await db.execute(sql`delete from ${idempotencyKeys} where ctid = any(array(${old}))`);
    forgotten += rowCount ?? 0;
    if ((rowCount ?? 0) < FORGOTTEN_AT_ONCE) return forgotten;
  }
}
