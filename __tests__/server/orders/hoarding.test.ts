import { eq, sql } from 'drizzle-orm';
import { orders } from '../../../server/db/schema';
import { releaseHolds, endExpiredHolds } from '../../../server/payments/endHolds';
import { sweepOnce } from '../../../server/payments/sweep';
import { CARDS, openCardTestKit } from '../../support/cards';
import { openOrderTestKit, type OrderTestKit, NO_DISCREPANCIES } from '../../support/orders';
import type { Customer } from '../../support/customers';
import { collectLog } from '../../support/shop';

const MINUTE_MS = 60_000;
let testKit: OrderTestKit;
let cards: ReturnType<typeof openCardTestKit>;
const log = collectLog();
let clockOffsetMinutes = 0;
beforeAll(async () => {
  const now = () => new Date(Date.now() + clockOffsetMinutes * MINUTE_MS);
  testKit = await openOrderTestKit({ now, logger: log.logger });
  cards = openCardTestKit(testKit);
});
/** Ends all holds of the previous test, with the clock far ahead. */
beforeEach(async () => {
  clockOffsetMinutes = 10_000;
  await endExpiredHolds(testKit.deps);
  clockOffsetMinutes = 0;
  log.lines.length = 0;
});
afterAll(async () => {
  expect(await testKit.auditStock()).toEqual(NO_DISCREPANCIES);
  await testKit.close();
});

/** Sets the clock this many minutes ahead, and renews the customer's access token, which may have expired by then. */
function setClock(minutesLater: number, customer?: Customer) {
  clockOffsetMinutes = minutesLater;
  if (customer) customer.token = testKit.deps.tokens.issue(customer.id);
}
const endHoldsAt = async (minutesLater: number) => {
  setClock(minutesLater);
  await endExpiredHolds(testKit.deps);
};
const rowOf = async (id: string) => (await testKit.deps.db.select().from(orders).where(eq(orders.id, id)))[0]!;
const holdMinutesOf = async (id: string) => {
  const { holdUntil, holdLastAt } = await rowOf(id);
  const nowMs = Date.now();
  return [holdUntil, holdLastAt].map((time) => time && Math.round((time.getTime() - nowMs) / MINUTE_MS));
};

async function placeUnpaidOrder(customer?: Customer, tool?: { id: string; name: string }) {
  const [ann, hammer] = [customer ?? (await testKit.createCustomer()), tool ?? (await testKit.createTool())];
  const { body } = await testKit.placeOrder(ann, { productName: hammer.name, totalQuantity: 10 });
  const startPayment = () => cards.createIntent(ann, body._id, 70);
  return { ann, tool: hammer, id: body._id, startPayment, readAvailable: () => testKit.readAvailable(hammer.id) };
}

describe("The latest possible end of an order's hold", () => {
  // Clause C.6.18
  it('is not moved by starting a payment repeatedly', async () => {
    const { ann, id, startPayment, readAvailable } = await placeUnpaidOrder();
    expect(await holdMinutesOf(id)).toEqual([120, 150]);
    for (const [minute, holdEnd] of [
      [10, 120],
      [100, 130],
      [119, 149],
      [125, 150],
      [149, 150],
    ]) {
      setClock(minute!, ann);
      expect((await startPayment()).status).toBe(200);
      expect(await holdMinutesOf(id)).toEqual([holdEnd, 150]);
    }
    await endHoldsAt(149);
    expect(await readAvailable()).toBe(90);
    await endHoldsAt(151);
    expect(await readAvailable()).toBe(100);
  });

  // Clause C.6.18
  it('is not moved when the first payment starts', async () => {
    const { ann, id, startPayment } = await placeUnpaidOrder();
    setClock(145, ann);
    await startPayment();
    expect(await holdMinutesOf(id)).toEqual([150, 150]);
  });

  it('is unknown for an order placed by an older release, so its hold is never extended', async () => {
    const [first, second] = [await placeUnpaidOrder(), await placeUnpaidOrder()];
    await testKit.deps.db.execute(sql`update orders set hold_last_at = null`);
    await second.startPayment();
    for (const { ann, id, startPayment } of [first, second]) {
      setClock(119, ann);
      await startPayment();
      expect(await holdMinutesOf(id)).toEqual([120, null]);
    }
  });

  // Clause C.6.18
  it('is 15 minutes after the start of a payment that had to take the stock again', async () => {
    const { ann, id, startPayment, readAvailable } = await placeUnpaidOrder();
    await endHoldsAt(121);
    setClock(200, ann);
    await startPayment();
    expect(await holdMinutesOf(id)).toEqual([215, 215]);
    setClock(210, ann);
    await startPayment();
    expect(await holdMinutesOf(id)).toEqual([215, 215]);
    await endHoldsAt(216);
    expect(await readAvailable()).toBe(100);
  });
});

describe('A hold that has reached its maximum length', () => {
  // Clause C.6.18
  it('continues while the provider is processing the payment', async () => {
    const { id, startPayment, readAvailable } = await placeUnpaidOrder();
    const { intent } = await startPayment();
    await testKit.deps.db.execute(sql`update sandbox_intents set status = 'processing' where id = ${intent}`);
    for (const minute of [151, 400, 800]) await endHoldsAt(minute);
    expect([await readAvailable(), (await rowOf(id)).holdEndedAt]).toEqual([90, null]);
    expect(await holdMinutesOf(id)).toEqual([810, 150]);
    const decline = sql`update sandbox_intents set status = 'requires_payment_method' where id = ${intent}`;
    await testKit.deps.db.execute(decline);
    await endHoldsAt(811);
    expect(await readAvailable()).toBe(100);
  });

  // Clause C.6.18
  it("is extended by at most one hour while the customer's bank authenticates the payment", async () => {
    const { startPayment, readAvailable } = await placeUnpaidOrder();
    const { intent, clientSecret } = await startPayment();
    expect((await cards.confirm(intent, clientSecret, CARDS.authenticationRequired)).status).toBe('requires_action');
    for (const minute of [151, 180, 209]) {
      await endHoldsAt(minute);
      expect(await readAvailable()).toBe(90);
    }
    await endHoldsAt(211);
    expect([await readAvailable(), (await testKit.deps.provider.findIntent(intent))?.status]).toEqual([
      100,
      'canceled',
    ]);
  });

  it('ends if the last card was declined', async () => {
    const { startPayment, readAvailable } = await placeUnpaidOrder();
    const { intent, clientSecret } = await startPayment();
    await cards.confirm(intent, clientSecret, CARDS.declined);
    await endHoldsAt(151);
    expect(await readAvailable()).toBe(100);
  });
});

describe('Short holds of 15 minutes', () => {
  const nextHoldMinutes = async (ann: Customer, tool: { id: string; name: string }) => {
    ann.token = testKit.deps.tokens.issue(ann.id);
    const [holdEnd, last] = await holdMinutesOf((await placeUnpaidOrder(ann, tool)).id);
    return [holdEnd! - clockOffsetMinutes, last! - clockOffsetMinutes];
  };
  const deleteAt = async (minute: number, ann: Customer, id: string) => {
    setClock(minute, ann);
    expect((await testKit.call(ann, 'DELETE', `/order/${id}`)).status).toBe(204);
  };
  const NORMAL_HOLD = [120, 150];
  const SHORT_HOLD = [15, 15];

  // Clause C.6.20
  it('apply to the same customer and tool for a day after a hold has ended unpaid', async () => {
    const { ann, tool } = await placeUnpaidOrder();
    await endHoldsAt(121);
    expect(await nextHoldMinutes(ann, tool)).toEqual(SHORT_HOLD);
    expect(await nextHoldMinutes(ann, await testKit.createTool())).toEqual(NORMAL_HOLD);
    expect(await nextHoldMinutes(await testKit.createCustomer(), tool)).toEqual(NORMAL_HOLD);
    setClock(121 + 24 * 60 - 1);
    expect(await nextHoldMinutes(ann, tool)).toEqual(SHORT_HOLD);
    setClock(121 + 24 * 60 + 1);
    expect(await nextHoldMinutes(ann, tool)).toEqual(NORMAL_HOLD);
  });

  // Clause C.6.20
  it('apply even if the order is deleted after its hold has ended', async () => {
    const { ann, tool, id } = await placeUnpaidOrder();
    await endHoldsAt(121);
    await deleteAt(122, ann, id);
    expect(await nextHoldMinutes(ann, tool)).toEqual(SHORT_HOLD);
  });

  // Clause C.6.20
  it('apply when the order is deleted after its hold has expired but before the sweep', async () => {
    const { ann, tool, id } = await placeUnpaidOrder();
    await deleteAt(121, ann, id);
    expect(await nextHoldMinutes(ann, tool)).toEqual(SHORT_HOLD);
  });

  // Clause C.6.20
  it('apply once the holds of deleted orders have together lasted as long as a full hold within a day', async () => {
    const { ann, tool, id } = await placeUnpaidOrder();
    await deleteAt(119, ann, id);
    expect(await nextHoldMinutes(ann, tool)).toEqual(NORMAL_HOLD);
    const { id: secondOrder } = await placeUnpaidOrder(ann, tool);
    await testKit.deps.db.execute(
      sql`update orders set created_at = created_at + interval '119 min' where id = ${secondOrder}`,
    );
    await deleteAt(122, ann, secondOrder);
    expect(await nextHoldMinutes(ann, tool)).toEqual(SHORT_HOLD);
  });

  it('do not apply to the next order when the previous one was deleted or paid in time, or the operator ended its hold', async () => {
    const [deleted, paid, released] = [await placeUnpaidOrder(), await placeUnpaidOrder(), await placeUnpaidOrder()];
    await testKit.call(deleted.ann, 'DELETE', `/order/${deleted.id}`);
    await cards.pay(paid.ann, paid.id, 70);
    await releaseHolds(testKit.deps, released.tool.id);
    await endHoldsAt(121);
    for (const { ann, tool } of [deleted, paid, released])
      expect(await nextHoldMinutes(ann, tool)).toEqual(NORMAL_HOLD);
  });

  it('are not extended when a payment starts', async () => {
    const { ann, tool } = await placeUnpaidOrder();
    await endHoldsAt(121);
    setClock(122, ann);
    const secondOrder = await placeUnpaidOrder(ann, tool);
    setClock(130, ann);
    await secondOrder.startPayment();
    expect(await holdMinutesOf(secondOrder.id)).toEqual([137, 137]);
  });
});

describe('If unpaid orders have reserved more than half of the unsold stock,', () => {
  const warnings = () => log.linesOf('unpaid orders hold more than half of the unsold stock');

  // Clause C.6.24
  it('a warning is logged at most once an hour', async () => {
    await testKit.deps.db.execute(
      sql`update tools set stocked_quantity = stocked_quantity - available_quantity, available_quantity = 0`,
    );
    const tool = await testKit.createTool();
    for (const quantity of [50, 25])
      await testKit.placeOrder(await testKit.createCustomer(), { productName: tool.name, totalQuantity: quantity });
    for (const minute of [0, 1, 2, 30]) {
      setClock(minute);
      await sweepOnce(testKit.deps);
    }
    expect(warnings()).toMatchObject([{ level: 40, share: 0.75 }]);
    setClock(61);
    await sweepOnce(testKit.deps);
    expect(warnings()).toHaveLength(2);
    setClock(200);
    await sweepOnce(testKit.deps);
    expect(warnings()).toHaveLength(2);
  });
});
