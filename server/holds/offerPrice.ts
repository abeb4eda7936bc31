import { and, eq } from 'drizzle-orm';
import type { PriceOffer } from '../../src/contract/entities';
import { MAX_TOTAL } from '../../src/contract/limits';
import { formatWithCommas } from '../../src/contract/formatWithCommas';
import type { CallerAccount } from '../auth/access';
import { recordAdminAct } from '../auth/recordAdminAct';
import type { Tx } from '../db/database';
import { adminActs, orders, tools } from '../db/schema';
import { invalidField } from '../http/problems';
import { queueMail } from '../mail/outbox';
import { otherOffer, outOfStock } from '../orders/orderProblems';
import { longHold, takeStock, type OrderRow } from '../orders/stock';
import type { PaymentContext } from '../payments/context';
import { changeUnpaidOrder } from './releaseOrder';

function requireChargeable(price: number, { quantity }: OrderRow): void {
  if (price * quantity <= MAX_TOTAL) return;
  const maxPrice = Math.floor(MAX_TOTAL / quantity);
  const limit =
    maxPrice < 1
      ? 'This order is too large for one payment.'
      : `Enter at most ${formatWithCommas(maxPrice)}: one payment can't be more than $${formatWithCommas(MAX_TOTAL)}.`;
  throw invalidField('price', limit);
}

async function reserveOffer(tx: Tx, order: OrderRow): Promise<void> {
  if (await takeStock(tx, order)) return;
  const [tool] = await tx
    .select({ min: tools.minimumOrderQuantity, available: tools.availableQuantity })
    .from(tools)
    .where(eq(tools.id, order.toolId));
  throw outOfStock(tool!.min, tool!.available);
}

/** The first offer reserves the stock. A corrected one leaves the hold as it is. */
async function storeOffer(ctx: PaymentContext, tx: Tx, actor: CallerAccount, order: OrderRow, price: number) {
  const { id, unitPrice: was } = order;
  if (was === null) await reserveOffer(tx, order);
  const hold = was === null ? { holdsStock: true, ...longHold(ctx.now(), ctx.settings.offerHours) } : {};
  await tx
    .update(orders)
    .set({ state: 'unpaid', unitPrice: price, ...hold, pricedAt: ctx.now(), offered: true, claimedUntil: null })
    .where(eq(orders.id, id));
  await recordAdminAct(tx, actor, { act: 'offer price', subject: id, detail: { price, ...(was && { was }) } });
  const isOffer = and(eq(adminActs.subject, id), eq(adminActs.act, 'offer price'));
  await queueMail(tx, 'price offered', id, was === null ? id : `${id}.${await tx.$count(adminActs, isOffer)}`);
}

/**
 * Gives an unpriced order a price and reserves its stock, so that the customer can pay for it, or corrects such a price
 * until it is paid. The minimum quantity does not limit an offer.
 */
export async function offerPrice(
  ctx: PaymentContext,
  actor: CallerAccount,
  orderId: string,
  { price, was }: PriceOffer,
): Promise<void> {
  await changeUnpaidOrder(ctx, {
    orderId,
    question: 'price',
    check(order) {
      if (order.unitPrice === price) return true;
      if (was !== undefined && was !== order.unitPrice) throw otherOffer();
      requireChargeable(price, order);
      return false;
    },
    work: (tx, order) => storeOffer(ctx, tx, actor, order, price),
  });
  await ctx.catalog.reportChange('tools');
}
