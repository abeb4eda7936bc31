import { eq } from 'drizzle-orm';
import { MAX_TOTAL } from '../../src/contract/limits';
import { formatWithCommas } from '../../src/contract/formatWithCommas';
import type { CallerAccount } from '../auth/access';
import { recordAdminAct } from '../auth/recordAdminAct';
import type { Tx } from '../db/database';
import { orders, tools } from '../db/schema';
import { invalidFields } from '../http/problems';
import { queueMail } from '../mail/outbox';
import type { OrderContext } from './context';
import { mayHappen, throwIfRefused } from './mayHappen';
import { outOfStock } from './orderProblems';
import { factsOf, orderTransaction, requireFound } from './orderTransaction';
import { longHold, takeStock, type OrderRow } from './stock';

function requireChargeable(price: number, { quantity }: OrderRow): void {
  if (price * quantity <= MAX_TOTAL) return;
  const maxPrice = Math.floor(MAX_TOTAL / quantity);
  const limit =
    maxPrice < 1
      ? 'This order is too large for one payment.'
      : `Enter at most ${formatWithCommas(maxPrice)}: one payment can't be more than $${formatWithCommas(MAX_TOTAL)}.`;
  throw invalidFields([{ field: 'price', message: limit }]);
}

async function reserveOffer(tx: Tx, order: OrderRow): Promise<void> {
  if (await takeStock(tx, order)) return;
  const [tool] = await tx
    .select({ min: tools.minimumOrderQuantity, available: tools.availableQuantity })
    .from(tools)
    .where(eq(tools.id, order.toolId));
  throw outOfStock(tool!.min, tool!.available);
}

/**
 * Gives an unpriced order a price and reserves its stock, so that the customer can pay for it. The minimum quantity
 * does not limit an offer.
 */
export async function offerPrice(
  ctx: OrderContext,
  actor: CallerAccount,
  orderId: string,
  price: number,
): Promise<void> {
  const toolId = await orderTransaction(ctx.db, orderId, async (tx, found) => {
    const locked = requireFound(found);
    const { order } = locked;
    throwIfRefused(mayHappen(factsOf(locked, ctx.now())).price);
    requireChargeable(price, order);
    await reserveOffer(tx, order);
    await tx
      .update(orders)
      .set({
        state: 'unpaid',
        unitPrice: price,
        holdsStock: true,
        ...longHold(ctx.now(), ctx.settings.offerHours),
        pricedAt: ctx.now(),
        offered: true,
      })
      .where(eq(orders.id, order.id));
    await recordAdminAct(tx, actor, { act: 'offer price', subject: order.id, detail: { price } });
    await queueMail(tx, 'price offered', order.id);
    return order.toolId;
  });
  await ctx.catalog.reportChange('tools', toolId);
}
