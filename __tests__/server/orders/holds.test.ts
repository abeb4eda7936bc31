import { and, eq, lte, sql } from 'drizzle-orm';
import { orders } from '../../../server/db/schema';
import type { Fault } from '../../../embedded/stripe/faults';
import { endExpiredHolds } from '../../../server/payments/endHolds';
import { openCardTestKit } from '../../support/cards';
import { openOrderTestKit, type OrderTestKit, sound } from '../../support/orders';
import { interleaving } from '../../support/checkpoints';

const HOUR_MS = 3_600_000;
const moments = interleaving();
let hours = 0;
let fault: Fault | undefined;
let desk: OrderTestKit;
let cards: ReturnType<typeof openCardTestKit>;
beforeAll(async () => {
  const now = () => new Date(Date.now() + hours * HOUR_MS);
  desk = await openOrderTestKit({ checkpoint: moments.checkpoint, now, faults: { onCall: () => fault } });
  cards = openCardTestKit(desk);
});
afterAll(async () => {
  expect(await desk.audit()).toEqual(sound);
  await desk.close();
});

/** What happens then, so many hours from now. */
async function after<T>(later: number, work: () => Promise<T>): Promise<T> {
  hours = later;
  try {
    return await work();
  } finally {
    hours = 0;
  }
}
const sweep = () => endExpiredHolds(desk.deps);

/** No hold of an earlier test ends in a later one. */
beforeEach(() => after(100, sweep));

async function placed(totalQuantity = 10, minimumOrderQuantity = 1) {
  const [ann, tool] = [await desk.customer(), await desk.tool({ minimumOrderQuantity })];
  const { body } = await desk.order(ann, { productName: tool.name, totalQuantity });
  const [id, total] = [body._id, totalQuantity * 7];
  const look = async () => (await desk.deps.db.select().from(orders).where(eq(orders.id, id)))[0]!;
  return { ann, tool, id, total, look, left: () => desk.available(tool.id) };
}

// Clauses C.6.5, C.6.7
it('after two hours the stock returns; the order stays, priced and unpaid', async () => {
  const { ann, id, look, left } = await placed();
  await after(1.99, sweep);
  expect(await left()).toBe(90);
  await after(2.01, sweep);
  expect(await left()).toBe(100);
  expect(await look()).toMatchObject({ state: 'unpaid', unitPrice: 7, holdsStock: false, holdUntil: null });
  expect((await desk.call(ann, 'GET', `/order/${id}`)).body).toMatchObject({ price: 7, paid: false });
});

// Clause C.6.8
it('paying takes the stock again', async () => {
  const { ann, id, total, left } = await placed();
  await after(2.01, sweep);
  expect((await cards.pay(ann, id, total)).body.paid).toBe(true);
  expect(await left()).toBe(90);
});

// Clause C.6.9
it('when the stock is gone by then, no card is asked for', async () => {
  const { ann, tool, id, total } = await placed(30, 30);
  await after(2.01, sweep);
  await desk.order(await desk.customer(), { productName: tool.name, totalQuantity: 71 });
  const { status, body } = await cards.begin(ann, id, total);
  expect([status, body.code, body.meta]).toEqual([409, 'out_of_stock', { min: 30, available: 29 }]);
});

// Clause C.6.7
it('the intent is cancelled before the stock returns', async () => {
  const { ann, id, total, left } = await placed();
  const { intent, clientSecret } = await cards.begin(ann, id, total);
  let then: string | undefined;
  moments.justBefore('end hold', async () => {
    then = (await desk.deps.provider.findIntent(intent))?.status;
    expect(await left()).toBe(90);
  });
  await after(3, sweep);
  expect([then, await left()]).toEqual(['canceled', 100]);
  expect((await cards.confirm(intent, clientSecret)).status).not.toBe('succeeded');
});

// Clause C.6.5
it('lasts longer while a payment is open', async () => {
  const { ann, id, total, left } = await placed();
  await after(1.9, async () => {
    ann.token = desk.deps.tokens.issue(ann.id);
    await cards.begin(ann, id, total);
  });
  await after(2.2, sweep);
  expect(await left()).toBe(90);
  await after(2.5, sweep);
  expect(await left()).toBe(100);
});

it('paid at the provider and not settled yet: the sweep finds it paid, and the stock stays sold', async () => {
  const { ann, id, total, look, left } = await placed();
  const { intent, clientSecret } = await cards.begin(ann, id, total);
  await cards.confirm(intent, clientSecret);
  await after(3, sweep);
  expect([(await look()).state, await left()]).toEqual(['paid', 90]);
});

it('who begins to pay while the hold ends waits, and has the stock taken for them', async () => {
  const { ann, id, total, left } = await placed();
  let began: ReturnType<typeof cards.begin> | undefined;
  moments.justBefore('end hold', async () => {
    hours = 0;
    began = cards.begin(ann, id, total);
  });
  await after(2.01, sweep);
  expect((await began)?.status).toBe(200);
  expect(await left()).toBe(90);
});

it('a sweep that took so long that its claim ran out does not take the stock from who paid', async () => {
  const { ann, id, total, look, left } = await placed();
  moments.justBefore('end hold', async () => {
    hours = 0;
    await desk.deps.db.execute(sql`update orders set deleting_until = now() - interval '1 second' where id = ${id}`);
    expect((await cards.pay(ann, id, total)).status).toBe(200);
  });
  await after(2.01, sweep);
  expect([(await look()).state, await left()]).toEqual(['paid', 90]);
});

it('a sweep whose claim ran out leaves the stock to who began to pay meanwhile', async () => {
  const { ann, id, total, look, left } = await placed();
  moments.justBefore('end hold', async () => {
    hours = 0;
    await desk.deps.db.execute(sql`update orders set deleting_until = now() - interval '1 second' where id = ${id}`);
    expect((await cards.begin(ann, id, total)).status).toBe(200);
  });
  await after(2.01, sweep);
  expect([(await look()).holdsStock, await left()]).toEqual([true, 90]);
});

// Clauses C.6.6, C.10.12
it('four servers that sweep at once return each piece once', async () => {
  const made = await Promise.all(Array.from({ length: 30 }, () => placed()));
  const due = await after(2.01, () =>
    desk.deps.db.$count(orders, and(eq(orders.state, 'unpaid'), lte(orders.holdUntil, desk.deps.now()))),
  );
  expect(due).toBeGreaterThanOrEqual(30);
  const ended = await after(2.01, () => Promise.all([sweep(), sweep(), sweep(), sweep()]));
  expect(ended.reduce((sum, n) => sum + n, 0)).toBe(due);
  expect(await Promise.all(made.map(({ left }) => left()))).toEqual(made.map(() => 100));
});

it('a provider that does not answer costs nothing: the next sweep ends the hold', async () => {
  const { ann, id, total, look, left } = await placed();
  await cards.begin(ann, id, total);
  fault = { status: 500 };
  await after(3, sweep);
  expect([await left(), (await desk.call(ann, 'DELETE', `/order/${id}`)).body.code]).toEqual([
    90,
    'payment_provider_unavailable',
  ]);
  fault = undefined;
  expect(await look()).toMatchObject({ state: 'unpaid', holdsStock: true, deletingUntil: null });
  await after(3, sweep);
  expect(await left()).toBe(100);
});

it('an intent that the provider does not know, as after a change of keys, holds nothing up', async () => {
  const [swept, deleted] = [await placed(), await placed()];
  for (const { ann, id, total } of [swept, deleted]) {
    await cards.begin(ann, id, total);
    await desk.deps.db.execute(
      sql`update payment_attempts set intent_id = ${`pi_of_other_keys_${id.slice(0, 8)}`} where order_id = ${id}`,
    );
  }
  expect((await desk.call(deleted.ann, 'DELETE', `/order/${deleted.id}`)).status).toBe(204);
  await after(3, sweep);
  expect([await swept.left(), await deleted.left()]).toEqual([100, 100]);
  expect((await cards.pay(swept.ann, swept.id, swept.total)).body.paid).toBe(true);
});

// Clause C.6.5
it('what the provider is working on is neither deleted nor paid anew, and its hold goes on', async () => {
  const { ann, id, total, left } = await placed();
  const { intent } = await cards.begin(ann, id, total);
  await desk.deps.db.execute(sql`update sandbox_intents set status = 'processing' where id = ${intent}`);
  const { provider } = desk.deps;
  const cancel = jest.spyOn(provider, 'cancelIntent').mockImplementation((asked) => provider.findIntent(asked));
  const answers = [await desk.call(ann, 'DELETE', `/order/${id}`), await cards.begin(ann, id, total)];
  expect(answers.map(({ status, body }) => [status, body])).toMatchObject(
    answers.map(() => [409, { code: 'payment_in_progress' }]),
  );
  await after(3, sweep);
  expect(await left()).toBe(90);
  cancel.mockRestore();
  await after(3, sweep);
  expect(await left()).toBe(90);
  await desk.deps.db.execute(sql`update sandbox_intents set status = 'requires_payment_method' where id = ${intent}`);
  await after(6, sweep);
  expect(await left()).toBe(100);
});

it('a hold that cannot be ended now keeps no other from ending', async () => {
  const stuck = await placed();
  await cards.begin(stuck.ann, stuck.id, stuck.total);
  const other = await placed();
  await desk.deps.db.execute(
    sql`update orders set hold_until = hold_until + interval '1 second' where id = ${other.id}`,
  );
  fault = { status: 500 };
  await after(3, sweep);
  fault = undefined;
  expect([await stuck.left(), await other.left()]).toEqual([90, 100]);
  expect(await stuck.look()).toMatchObject({ deletingUntil: null });
});

it('a server that stops begins no other', async () => {
  const { left } = await placed();
  expect(await after(3, () => endExpiredHolds({ ...desk.deps, closing: AbortSignal.abort() }))).toBe(0);
  expect(await left()).toBe(90);
});
