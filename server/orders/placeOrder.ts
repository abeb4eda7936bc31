import { sql } from 'drizzle-orm';
import { randomInt, randomUUID } from 'node:crypto';
import type { OrderDraft, PlacedOrder } from '../../src/contract/entities';
import { IDEMPOTENCY_KEY_HOURS } from '../../src/contract/limits';
import { displayNameOf, ownsEmail, type CallerAccount } from '../auth/access';
import { databaseErrorOf, withTransactionRetry } from '../db/retryConflicts';
import { idempotencyKeys } from '../db/schema';
import { findStoredResponse, hashOfBody } from '../http/idempotencyKeys';
import { emailMismatch, toolNotFound, serviceUnavailable } from '../http/problems';
import { UUID } from '../http/textValidation';
import { stateOfNewMail } from '../mail/outbox';
import type { OrderContext } from './context';
import { ambiguousTool, priceChanged, toolNotOnSale, tooManyUnpriced, unknownToolName } from './orderProblems';
import { PLACE_BY_TOOL_ID, PLACE_BY_TOOL_NAME } from './placeOrderStatement';
import { computeHoldTimes } from './stock';
import { PLACE_UNPRICED_BY_ID, PLACE_UNPRICED_BY_NAME } from './unpricedStatement';

/**
 * An order is tried at most this often while concurrent orders are faster. Each lost race means that another order was
 * placed, so orders cannot block each other forever.
 */
const MAX_LOST_RACES = 50;
/** The statement tests this many random slots first. Testing all of them takes longer the more slots there are. */
const SLOT_GUESSES = 4;
/** The statement for unpriced orders has only the parameters $1 to $10. */
const UNPRICED_VALUE_COUNT = 10;
/** How many old idempotency keys one statement deletes. This limits how long the statement takes. */
const KEYS_PER_DELETE = 5_000;
const HOUR_MS = 3_600_000;
const RACE_CONSTRAINTS = ['orders_slot', 'orders_unpriced_slot', 'idempotency_keys_user_id_call_key_pk'];

interface PlaceOrderResult {
  placed: PlacedOrder | null;
  matches: number;
  price: number | null;
  isOnSale: boolean | null;
  /** Whether this quantity could be sold. If so, and nothing was placed, a concurrent order was faster. */
  canBePriced: boolean;
}

type PlaceUnpricedResult = Pick<PlaceOrderResult, 'placed'> & {
  /** Whether the owner has reached the limit of unpriced orders. Null if the order can now have a price. */
  isFull: boolean | null;
};

function statementValues(
  { settings, now }: OrderContext,
  user: CallerAccount,
  draft: OrderDraft,
  key: string | undefined,
) {
  const { address, phone } = draft;
  const order = { _id: randomUUID(), client: displayNameOf(user), email: user.email, address, phone };
  const hold = computeHoldTimes(now(), settings.holdHours);
  return [
    user.id,
    key ?? null,
    hashOfBody(draft),
    draft.toolId ?? draft.productName,
    draft.totalQuantity,
    draft.price ?? null,
    JSON.stringify(order),
    settings.maxUnpaidOrders,
    Array.from({ length: SLOT_GUESSES }, () => randomInt(1, settings.maxUnpaidOrders + 1)),
    stateOfNewMail(settings),
    hold.until,
    hold.lastAt,
    hold.shortUntil,
    hold.ranOutSince,
  ];
}

type NamedStatement = { name: string; text: string };

/** @returns undefined if a concurrent order took the slot, or if the idempotency key is already used */
async function runStatement<T extends object>(
  { db }: OrderContext,
  statement: NamedStatement,
  values: unknown[],
): Promise<T | undefined> {
  try {
    const { rows } = await withTransactionRetry(() => db.$client.query<T>({ ...statement, values }));
    return rows[0];
  } catch (error) {
    const { code, constraint } = databaseErrorOf(error);
    if (code === '23505' && RACE_CONSTRAINTS.includes(constraint ?? '')) return undefined;
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
  const result = await runStatement<PlaceUnpricedResult>(ctx, statement, values.slice(0, UNPRICED_VALUE_COUNT));
  if (result?.isFull) throw tooManyUnpriced();
  return result?.placed ?? undefined;
}

const isoTime = (time: string) => new Date(time).toISOString();

/** In JSON, PostgreSQL's times have microseconds and a UTC offset. The API's times have milliseconds and `Z`. */
const withIsoTimes = (order: PlacedOrder): PlacedOrder => ({
  ...order,
  placedAt: isoTime(order.placedAt),
  heldUntil: order.heldUntil && isoTime(order.heldUntil),
});

/** Adds fields that are missing in the responses that earlier versions stored. */
const fieldsOfOldResponse = ({ answer, createdAt }: typeof idempotencyKeys.$inferSelect) => ({
  status: (answer as PlacedOrder).price === null ? ('unpriced' as const) : ('unpaid' as const),
  placedAt: createdAt.toISOString(),
  paidAt: null,
  heldUntil: null,
  dispute: null,
});

async function findStoredOrder({ db }: OrderContext, user: CallerAccount, draft: OrderDraft, key: string) {
  const stored = await findStoredResponse(db, { userId: user.id, call: 'POST /order', key, body: draft });
  return stored && { ...fieldsOfOldResponse(stored), ...(stored.answer as PlacedOrder) };
}

async function tryToPlace(
  ctx: OrderContext,
  user: CallerAccount,
  draft: OrderDraft,
  key: string | undefined,
): Promise<PlacedOrder | undefined> {
  const values = statementValues(ctx, user, draft, key);
  await ctx.checkpoint('place order');
  const result = await runStatement<PlaceOrderResult>(
    ctx,
    draft.toolId ? PLACE_BY_TOOL_ID : PLACE_BY_TOOL_NAME,
    values,
  );
  if (result?.placed) {
    await ctx.catalog.reportChange('tools', result.placed.toolId);
    return result.placed;
  }
  const storedOrder = key === undefined ? undefined : await findStoredOrder(ctx, user, draft, key);
  if (storedOrder || !result) return storedOrder;
  refuseUnplaceable(result, draft);
  return result.canBePriced ? undefined : placeUnpriced(ctx, draft, values);
}

function refuseUnplaceable(result: PlaceOrderResult, draft: OrderDraft): void {
  if (result.matches === 0) throw draft.toolId ? toolNotFound() : unknownToolName();
  if (result.matches > 1) throw ambiguousTool();
  if (!result.isOnSale) throw toolNotOnSale();
  if (draft.price && result.price !== draft.price) throw priceChanged(result.price!);
}

/** Places an order. If the idempotency key was already used with the same body, returns the first response. */
export async function placeOrder(
  ctx: OrderContext,
  user: CallerAccount,
  draft: OrderDraft,
  key: string | undefined,
): Promise<PlacedOrder> {
  if (!ownsEmail(user, draft.email ?? user.email ?? '')) throw emailMismatch();
  if (draft.toolId !== undefined && !UUID.test(draft.toolId)) throw toolNotFound();
  for (let race = 0; race < MAX_LOST_RACES; race++) {
    const order = await tryToPlace(ctx, user, draft, key);
    if (order) return withIsoTimes(order);
  }
  throw serviceUnavailable();
}

export async function deleteOldIdempotencyKeys({ db, now }: OrderContext): Promise<number> {
  const createdBefore = new Date(now().getTime() - IDEMPOTENCY_KEY_HOURS * HOUR_MS);
  const batch = sql`
    select ctid from ${idempotencyKeys} where ${idempotencyKeys.createdAt} < ${createdBefore} limit ${KEYS_PER_DELETE}`;
  for (let deleted = 0; ;) {
    const { rowCount } = await db.execute(sql`delete from ${idempotencyKeys} where ctid = any(array(${batch}))`);
    deleted += rowCount ?? 0;
    if ((rowCount ?? 0) < KEYS_PER_DELETE) return deleted;
  }
}
