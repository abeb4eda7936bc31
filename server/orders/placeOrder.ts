import { desc, eq } from 'drizzle-orm';
import { randomUUID } from 'node:crypto';
import type { OrderDraft, PlacedOrder, UnpricedReason } from '../../src/contract/entities';
import { MAX_TOTAL } from '../../src/contract/limits';
import { displayNameOf, ownsEmail, type CallerAccount } from '../auth/access';
import type { Db, Tx } from '../db/database';
import { tools } from '../db/schema';
import { lockedTransaction } from '../db/lockedTransaction';
import { findStoredAnswer, type IdempotentCall } from '../http/idempotencyKeys';
import { emailMismatch, tokenInvalid, toolNotFound } from '../http/problems';
import { UUID } from '../http/textValidation';
import type { OrderContext } from './context';
import { checkUnpaidOrders, checkUnpricedOrders, chooseHold } from './customerLimits';
import { lockTool, type LockedTool } from './lockTool';
import { ambiguousTool, priceChanged, toolNotOnSale, unknownToolName } from './orderProblems';
import type { Hold } from './stock';
import { storeOrder, type CompleteOrder } from './storeOrder';

async function findToolId(db: Db, { toolId, productName }: OrderDraft): Promise<string> {
  if (toolId !== undefined) return toolId;
  const { id, name, onSale } = tools;
  const named = db.select({ id, onSale }).from(tools).where(eq(name, productName));
  const [tool, another] = await named.orderBy(desc(onSale)).limit(2);
  if (!tool) throw unknownToolName();
  if (another?.onSale === tool.onSale) throw ambiguousTool();
  return tool.id;
}

function requireOrderable(tool: LockedTool | undefined, price: OrderDraft['price']): LockedTool {
  if (!tool) throw toolNotFound();
  if (!tool.onSale) throw toolNotOnSale();
  if (price && price !== tool.price) throw priceChanged(tool.price);
  return tool;
}

/** @returns why an order of this quantity can't have a price. A reason that holds for every quantity comes first. */
function findUnpricedReason({ min, available, price }: LockedTool, quantity: number): UnpricedReason | undefined {
  const chargeable = Math.floor(MAX_TOTAL / price);
  const range = { min, max: Math.min(available, chargeable) };
  if (available >= min && chargeable < min) return { reason: 'total', ...range };
  if (quantity < min || quantity > available) return { reason: 'range', ...range };
  return quantity > chargeable ? { reason: 'total', ...range } : undefined;
}

function createOrder(
  user: CallerAccount,
  { address, phone, reference = '', totalQuantity }: OrderDraft,
  tool: LockedTool,
  hold: Hold | undefined,
  placedAt: Date,
): CompleteOrder {
  return {
    _id: randomUUID(),
    client: displayNameOf(user),
    email: user.email!,
    price: hold ? tool.price : null,
    productName: tool.name,
    address,
    phone,
    reference,
    totalQuantity,
    paid: false,
    toolId: tool.id,
    status: hold ? 'unpaid' : 'unpriced',
    placedAt: placedAt.toISOString(),
    paidAt: null,
    invoice: null,
    heldUntil: hold?.holdUntil.toISOString() ?? null,
    dispute: null,
  };
}

/**
 * The transaction has locked the customer. Checks that their email is still the one that was authorized, because they
 * may have been erased while the request waited for the lock. An error undoes everything.
 */
async function placeLocked(
  ctx: OrderContext,
  tx: Tx,
  user: CallerAccount,
  draft: OrderDraft,
  { toolId, call, placedAt }: { toolId: string; call: IdempotentCall; placedAt: Date },
): Promise<PlacedOrder> {
  const tool = requireOrderable(await lockTool(tx, toolId, user.id, placedAt), draft.price);
  if (tool.ownerEmail !== user.email) throw tokenInvalid();
  const unpriced = findUnpricedReason(tool, draft.totalQuantity);
  if (unpriced) await checkUnpricedOrders(tx, user.id);
  else checkUnpaidOrders(ctx, tool);
  const hold = unpriced ? undefined : await chooseHold(ctx, tx, tool, draft.totalQuantity);
  const order = { ...createOrder(user, draft, tool, hold, placedAt), ...(unpriced && { unpriced }) };
  await storeOrder(ctx, tx, user.id, order, hold, call);
  return order;
}

/**
 * Places an order. A repeated idempotency key violates the primary key of the stored answers, or the order is refused
 * before. In both cases, the first answer is returned.
 */
export async function placeOrder(
  ctx: OrderContext,
  user: CallerAccount,
  draft: OrderDraft,
  key: string | undefined,
): Promise<PlacedOrder> {
  if (!ownsEmail(user, draft.email ?? user.email ?? '')) throw emailMismatch();
  if (draft.toolId !== undefined && !UUID.test(draft.toolId)) throw toolNotFound();
  const call: IdempotentCall = { userId: user.id, call: 'POST /order', key, body: draft };
  await ctx.checkpoint('place order');
  try {
    const toolId = await findToolId(ctx.db, draft);
    const placedAt = ctx.now();
    const order = await lockedTransaction(ctx.db, { customerId: user.id }, (tx) =>
      placeLocked(ctx, tx, user, draft, { toolId, call, placedAt }),
    );
    if (order.price !== null) await ctx.catalog.reportChange('tools', toolId);
    return order;
  } catch (error) {
    const stored = await findStoredAnswer(ctx.db, call);
    if (!stored) throw error;
    return stored.answer as PlacedOrder;
  }
}
