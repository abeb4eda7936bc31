import { sql } from 'drizzle-orm';
import { releaseHolds } from '../../../server/holds/endHolds';
import { sweepOnce } from '../../../server/jobs/sweep';
import { CARDS } from '../../support/cards';
import { runCli } from '../../support/cli';
import type { Customer } from '../../support/customers';
import { openPaymentTestKit, type PaymentTestKit } from '../../support/payments';
import { collectLog } from '../../support/shop';
import { openHoldTestKit, type HoldTestKit } from './holdTestKit';
import { main } from '../../../server/cli/orders';

describe('Hoarding', () => {
  const log = collectLog();
  let kit: HoldTestKit;
  beforeAll(async () => {
    kit = await openHoldTestKit({ logger: log.logger });
  });
  beforeEach(async () => {
    await kit.reset();
    log.lines.length = 0;
  });
  afterAll(async () => {
    expect(await kit.countWrongStocks()).toBe(0);
    await kit.close();
  });

  describe("The latest possible end of an order's hold", () => {
    // Clause C.6.18
    it('is not moved by starting a payment repeatedly', async () => {
      const { ann, id, startPayment, readAvailable } = await kit.placeUnpaidOrder();
      expect(await kit.holdMinutesOf(id)).toEqual([120, 150]);
      for (const [minute, holdEnd] of [
        [10, 120],
        [100, 130],
        [119, 149],
        [125, 150],
        [149, 150],
      ]) {
        kit.setClock(minute!, ann);
        expect((await startPayment()).status).toBe(200);
        expect(await kit.holdMinutesOf(id)).toEqual([holdEnd, 150]);
      }
      await kit.endHoldsAt(149);
      expect(await readAvailable()).toBe(90);
      await kit.endHoldsAt(151);
      expect(await readAvailable()).toBe(100);
    });

    // Clause C.6.18
    it('is 15 minutes after the start of a payment that had to take the stock again', async () => {
      const { ann, id, startPayment, readAvailable } = await kit.placeUnpaidOrder();
      await kit.endHoldsAt(121);
      kit.setClock(200, ann);
      await startPayment();
      expect(await kit.holdMinutesOf(id)).toEqual([215, 215]);
      kit.setClock(210, ann);
      await startPayment();
      expect(await kit.holdMinutesOf(id)).toEqual([215, 215]);
      await kit.endHoldsAt(216);
      expect(await readAvailable()).toBe(100);
    });
  });

  describe('A hold that has reached its maximum length', () => {
    // Clause C.6.18
    it('continues while the provider is processing the payment', async () => {
      const { id, startPayment, readAvailable } = await kit.placeUnpaidOrder();
      const { intentId } = await startPayment();
      await kit.deps.db.execute(sql`update embedded_stripe.intents set status = 'processing' where id = ${intentId}`);
      for (const minute of [151, 400, 800]) await kit.endHoldsAt(minute);
      expect([await readAvailable(), (await kit.rowOf(id)).holdEndedAt]).toEqual([90, null]);
      expect(await kit.holdMinutesOf(id)).toEqual([810, 150]);
      const decline = sql`update embedded_stripe.intents set status = 'requires_payment_method' where id = ${intentId}`;
      await kit.deps.db.execute(decline);
      await kit.endHoldsAt(811);
      expect(await readAvailable()).toBe(100);
    });

    // Clause C.6.18
    it("is extended by at most one hour while the customer's bank authenticates the payment", async () => {
      const { startPayment, readAvailable } = await kit.placeUnpaidOrder();
      const { intentId, body } = await startPayment();
      expect((await kit.confirm(body.clientSecret, CARDS.authenticationRequired)).status).toBe('requires_action');
      for (const minute of [151, 180, 209]) {
        await kit.endHoldsAt(minute);
        expect(await readAvailable()).toBe(90);
      }
      await kit.endHoldsAt(211);
      expect([await readAvailable(), (await kit.deps.provider.findIntent(intentId))?.status]).toEqual([
        100,
        'canceled',
      ]);
    });

    it('ends if the last card was declined', async () => {
      const { startPayment, readAvailable } = await kit.placeUnpaidOrder();
      const { body } = await startPayment();
      await kit.confirm(body.clientSecret, CARDS.declined);
      await kit.endHoldsAt(151);
      expect(await readAvailable()).toBe(100);
    });
  });

  describe('Short holds of 15 minutes', () => {
    const deleteAt = async (minute: number, ann: Customer, id: string) => {
      kit.setClock(minute, ann);
      expect((await kit.call(ann, 'DELETE', `/order/${id}`)).status).toBe(204);
    };
    const NORMAL_HOLD = [120, 150];
    const SHORT_HOLD = [15, 15];

    // Clause C.6.20
    it('apply to the same customer and tool for a day after a hold has ended unpaid', async () => {
      const { ann, tool } = await kit.placeUnpaidOrder();
      await kit.endHoldsAt(121);
      expect(await kit.placeAndReadHold(ann, tool)).toEqual(SHORT_HOLD);
      expect(await kit.placeAndReadHold(ann, await kit.createTool())).toEqual(NORMAL_HOLD);
      expect(await kit.placeAndReadHold(await kit.createCustomer(), tool)).toEqual(NORMAL_HOLD);
      kit.setClock(121 + 24 * 60 - 1);
      expect(await kit.placeAndReadHold(ann, tool)).toEqual(SHORT_HOLD);
      kit.setClock(121 + 24 * 60 + 1);
      expect(await kit.placeAndReadHold(ann, tool)).toEqual(NORMAL_HOLD);
    });

    // Clause C.6.20
    it('apply even if the order is deleted after its hold has ended', async () => {
      const { ann, tool, id } = await kit.placeUnpaidOrder();
      await kit.endHoldsAt(121);
      await deleteAt(122, ann, id);
      expect(await kit.placeAndReadHold(ann, tool)).toEqual(SHORT_HOLD);
    });

    // Clause C.6.20
    it('apply when the order is deleted after its hold has expired but before the sweep', async () => {
      const { ann, tool, id } = await kit.placeUnpaidOrder();
      await deleteAt(121, ann, id);
      expect(await kit.placeAndReadHold(ann, tool)).toEqual(SHORT_HOLD);
    });

    // Clause C.6.20
    it('apply once deleted orders have held the tool for 15 minutes together', async () => {
      const [ann, tool] = [await kit.createCustomer(), await kit.createTool()];
      for (const [placedAt, deletedAt, next] of [
        [0, 14, NORMAL_HOLD],
        [20, 21, SHORT_HOLD],
      ] as const) {
        kit.setClock(placedAt, ann);
        const { id } = await kit.placeUnpaidOrder(ann, tool);
        await deleteAt(deletedAt, ann, id);
        expect(await kit.placeAndReadHold(ann, tool)).toEqual(next);
      }
    });

    it('do not apply to the next order when the previous one was deleted or paid in time, or the operator ended its hold', async () => {
      const [deleted, paid, released] = [
        await kit.placeUnpaidOrder(),
        await kit.placeUnpaidOrder(),
        await kit.placeUnpaidOrder(),
      ];
      await kit.call(deleted.ann, 'DELETE', `/order/${deleted.id}`);
      await kit.pay(paid.ann, paid.id, 70);
      await releaseHolds(kit.deps, released.tool.id);
      await kit.endHoldsAt(121);
      for (const { ann, tool } of [deleted, paid, released])
        expect(await kit.placeAndReadHold(ann, tool)).toEqual(NORMAL_HOLD);
    });

    it('are not extended when a payment starts', async () => {
      const { ann, tool } = await kit.placeUnpaidOrder();
      await kit.endHoldsAt(121);
      kit.setClock(122, ann);
      const secondOrder = await kit.placeUnpaidOrder(ann, tool);
      kit.setClock(130, ann);
      await secondOrder.startPayment();
      expect(await kit.holdMinutesOf(secondOrder.id)).toEqual([137, 137]);
    });
  });

  describe('If unpaid orders have reserved more than half of the unsold stock,', () => {
    const warnings = () => log.linesOf('unpaid orders hold more than half of the unsold stock');

    // Clause C.6.24
    it('a warning is logged at most once an hour', async () => {
      await kit.deps.db.execute(
        sql`update tools set stocked_quantity = stocked_quantity - available_quantity, available_quantity = 0`,
      );
      const tool = await kit.createTool();
      for (const quantity of [50, 25])
        await kit.placeOrder(await kit.createCustomer(), { productName: tool.name, totalQuantity: quantity });
      for (const minute of [0, 1, 2, 30]) {
        kit.setClock(minute);
        await sweepOnce(kit.deps);
      }
      expect(warnings()).toMatchObject([{ level: 40, share: 0.75 }]);
      kit.setClock(61);
      await sweepOnce(kit.deps);
      expect(warnings()).toHaveLength(2);
      kit.setClock(200);
      await sweepOnce(kit.deps);
      expect(warnings()).toHaveLength(2);
    });
  });
});

describe('The command for releasing stock', () => {
  let testKit: PaymentTestKit;
  beforeAll(async () => {
    testKit = await openPaymentTestKit();
  });
  afterAll(async () => {
    expect(await testKit.countWrongStocks()).toBe(0);
    await testKit.close();
  });

  const runOrdersCli = (...argv: string[]) => runCli(main, argv, { ...testKit.database!.env, DEMO: 'off' });

  // Clause C.6.25
  it('releases all stock of a tool that unpaid orders have reserved, while paid orders keep their stock', async () => {
    const tool = await testKit.createTool({ name: 'Claw hammer' });
    const ann = await testKit.createCustomer();
    const place = async () => (await testKit.placeOrder(ann, { productName: tool.name, totalQuantity: 10 })).body._id;
    const [paid, unpaid] = [await place(), await place(), await place()];
    await testKit.pay(ann, paid!, 70);
    const { intentId } = await testKit.createIntent(ann, unpaid!, 70);

    expect(await runOrdersCli('release', 'Claw hammer')).toEqual({
      code: 0,
      out: 'Claw hammer: ended 2 holds and returned the stock.\n',
      err: '',
    });
    expect(await testKit.readAvailable(tool.id)).toBe(90);
    expect((await testKit.deps.provider.findIntent(intentId))?.status).toBe('canceled');
    expect((await runOrdersCli('release', tool.id)).out).toContain('ended 0 holds');
    expect((await testKit.pay(ann, unpaid!, 70)).body.paid).toBe(true);
  });

  it('reports an unknown tool, an ambiguous name and wrong arguments', async () => {
    const { name } = await testKit.createTool();
    await testKit.createTool({ name });
    expect(await runOrdersCli('release', 'No such tool')).toEqual({
      code: 1,
      out: '',
      err: 'There is no tool "No such tool".\n',
    });
    expect((await runOrdersCli('release', name)).err).toContain('Use the id');
    expect((await runOrdersCli('sell', name)).err).toContain('Usage');
  });
});
