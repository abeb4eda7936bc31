import { Writable } from 'node:stream';
import { eq, sql } from 'drizzle-orm';
import pino from 'pino';
import { orders } from '../../../server/db/schema';
import { releaseHolds, endExpiredHolds } from '../../../server/payments/endHolds';
import { sweepOnce } from '../../../server/payments/sweep';
import { CARDS, openCardTestKit } from '../../support/cards';
import { openOrderTestKit, type OrderTestKit, sound } from '../../support/orders';
import type { Customer } from '../../support/customers';

const MINUTE_MS = 60_000;
let desk: OrderTestKit;
let cards: ReturnType<typeof openCardTestKit>;
let log = '';
let minutes = 0;
const sink = new Writable({
  write: (chunk: Buffer, _encoding, done) => void ((log += chunk.toString()), done()),
});
beforeAll(async () => {
  const now = () => new Date(Date.now() + minutes * MINUTE_MS);
  desk = await openOrderTestKit({ now, logger: pino({ level: 'warn' }, sink) });
  cards = openCardTestKit(desk);
});
/** The sandbox must send nothing into a time that is over, and no hold of a test lasts into the next one. */
beforeEach(async () => {
  minutes = 10_000;
  await endExpiredHolds(desk.deps);
  minutes = 0;
  log = '';
});
afterAll(async () => {
  expect(await desk.audit()).toEqual(sound);
  await desk.close();
});

/** So many minutes later the customer's session is another one. */
function at(later: number, who?: Customer) {
  minutes = later;
  if (who) who.token = desk.deps.tokens.issue(who.id);
}
const sweepAt = async (later: number) => {
  at(later);
  await endExpiredHolds(desk.deps);
};
const rowOf = async (id: string) => (await desk.deps.db.select().from(orders).where(eq(orders.id, id)))[0]!;
const minutesOf = async (id: string) => {
  const { holdUntil, holdLastAt } = await rowOf(id);
  const from = Date.now();
  return [holdUntil, holdLastAt].map((time) => time && Math.round((time.getTime() - from) / MINUTE_MS));
};

async function placed(who?: Customer, tool?: { id: string; name: string }) {
  const [ann, hammer] = [who ?? (await desk.customer()), tool ?? (await desk.tool())];
  const { body } = await desk.order(ann, { productName: hammer.name, totalQuantity: 10 });
  const begin = () => cards.begin(ann, body._id, 70);
  return { ann, tool: hammer, id: body._id, begin, left: () => desk.available(hammer.id) };
}

describe('A hold has a last moment', () => {
  // Clause C.6.18
  it('that starting a payment again and again does not move', async () => {
    const { ann, id, begin, left } = await placed();
    expect(await minutesOf(id)).toEqual([120, 150]);
    for (const [later, until] of [
      [10, 120],
      [100, 130],
      [119, 149],
      [125, 150],
      [149, 150],
    ]) {
      at(later!, ann);
      expect((await begin()).status).toBe(200);
      expect(await minutesOf(id)).toEqual([until, 150]);
    }
    await sweepAt(149);
    expect(await left()).toBe(90);
    await sweepAt(151);
    expect(await left()).toBe(100);
  });

  // Clause C.6.18
  it('that the first payment does not move either', async () => {
    const { ann, id, begin } = await placed();
    at(145, ann);
    await begin();
    expect(await minutesOf(id)).toEqual([150, 150]);
  });

  it('and an order of a version that knew none is not held longer', async () => {
    const [first, second] = [await placed(), await placed()];
    await desk.deps.db.execute(sql`update orders set hold_last_at = null`);
    await second.begin();
    for (const { ann, id, begin } of [first, second]) {
      at(119, ann);
      await begin();
      expect(await minutesOf(id)).toEqual([120, null]);
    }
  });

  // Clause C.6.18
  it('and once it has ended, paying takes the stock for 15 minutes', async () => {
    const { ann, id, begin, left } = await placed();
    await sweepAt(121);
    at(200, ann);
    await begin();
    expect(await minutesOf(id)).toEqual([215, 215]);
    at(210, ann);
    await begin();
    expect(await minutesOf(id)).toEqual([215, 215]);
    await sweepAt(216);
    expect(await left()).toBe(100);
  });
});

describe('Beyond its last moment a hold goes on', () => {
  // Clause C.6.18
  it('while the provider is processing the payment', async () => {
    const { id, begin, left } = await placed();
    const { intent } = await begin();
    await desk.deps.db.execute(sql`update sandbox_intents set status = 'processing' where id = ${intent}`);
    for (const later of [151, 400, 800]) await sweepAt(later);
    expect([await left(), (await rowOf(id)).holdEndedAt]).toEqual([90, null]);
    await desk.deps.db.execute(sql`update sandbox_intents set status = 'requires_payment_method' where id = ${intent}`);
    await sweepAt(811);
    expect(await left()).toBe(100);
  });

  // Clause C.6.18
  it('for one hour while the customer confirms at the bank, and no longer', async () => {
    const { begin, left } = await placed();
    const { intent, clientSecret } = await begin();
    expect((await cards.confirm(intent, clientSecret, CARDS.asks)).status).toBe('requires_action');
    for (const later of [151, 180, 209]) {
      await sweepAt(later);
      expect(await left()).toBe(90);
    }
    await sweepAt(211);
    expect([await left(), (await desk.deps.provider.findIntent(intent))?.status]).toEqual([100, 'canceled']);
  });

  it('but not because a card was declined', async () => {
    const { begin, left } = await placed();
    const { intent, clientSecret } = await begin();
    await cards.confirm(intent, clientSecret, CARDS.declined);
    await sweepAt(151);
    expect(await left()).toBe(100);
  });
});

describe('A customer who let a hold run out', () => {
  const next = async (ann: Customer, tool: { id: string; name: string }) => {
    ann.token = desk.deps.tokens.issue(ann.id);
    const [until, last] = await minutesOf((await placed(ann, tool)).id);
    return [until! - minutes, last! - minutes];
  };
  const deletedAt = async (minute: number, ann: Customer, id: string) => {
    at(minute, ann);
    expect((await desk.call(ann, 'DELETE', `/order/${id}`)).status).toBe(204);
  };
  const USUAL = [120, 150];
  const SHORT = [15, 15];

  // Clause C.6.20
  it('holds the same tool for 15 minutes for a day, and other tools as usual', async () => {
    const { ann, tool } = await placed();
    await sweepAt(121);
    expect(await next(ann, tool)).toEqual(SHORT);
    expect(await next(ann, await desk.tool())).toEqual(USUAL);
    expect(await next(await desk.customer(), tool)).toEqual(USUAL);
    at(121 + 24 * 60 - 1);
    expect(await next(ann, tool)).toEqual(SHORT);
    at(121 + 24 * 60 + 1);
    expect(await next(ann, tool)).toEqual(USUAL);
  });

  // Clause C.6.20
  it('cannot make that undone by deleting the order', async () => {
    const { ann, tool, id } = await placed();
    await sweepAt(121);
    await deletedAt(122, ann, id);
    expect(await next(ann, tool)).toEqual(SHORT);
  });

  // Clause C.6.20
  it('is also one who deletes the order after its hold, before the sweep', async () => {
    const { ann, tool, id } = await placed();
    await deletedAt(121, ann, id);
    expect(await next(ann, tool)).toEqual(SHORT);
  });

  // Clause C.6.20
  it('is also one whose deleted orders held the tool for a whole hold in a day', async () => {
    const { ann, tool, id } = await placed();
    await deletedAt(119, ann, id);
    expect(await next(ann, tool)).toEqual(USUAL);
    const { id: again } = await placed(ann, tool);
    await desk.deps.db.execute(sql`update orders set created_at = created_at + interval '119 min' where id = ${again}`);
    await deletedAt(122, ann, again);
    expect(await next(ann, tool)).toEqual(SHORT);
  });

  it('is not one who deleted or paid the order in time, or whose hold the operator ended', async () => {
    const [deleted, paid, released] = [await placed(), await placed(), await placed()];
    await desk.call(deleted.ann, 'DELETE', `/order/${deleted.id}`);
    await cards.pay(paid.ann, paid.id, 70);
    await releaseHolds(desk.deps, released.tool.id);
    await sweepAt(121);
    for (const { ann, tool } of [deleted, paid, released]) expect(await next(ann, tool)).toEqual(USUAL);
  });

  it('does not hold it longer by paying later', async () => {
    const { ann, tool } = await placed();
    await sweepAt(121);
    at(122, ann);
    const again = await placed(ann, tool);
    at(130, ann);
    await again.begin();
    expect(await minutesOf(again.id)).toEqual([137, 137]);
  });
});

describe('More than half of all stock held unpaid', () => {
  const WARNING = 'more than half of all stock is held unpaid';
  const warnings = () => {
    const lines = log.split('\n').filter((line) => line.includes(WARNING));
    return lines.map((line) => JSON.parse(line) as { share: number });
  };

  // Clause C.6.24
  it('is a warning in the log, at most once an hour', async () => {
    await desk.deps.db.execute(
      sql`update tools set stocked_quantity = stocked_quantity - available_quantity, available_quantity = 0`,
    );
    const tool = await desk.tool();
    for (const many of [50, 25])
      await desk.order(await desk.customer(), { productName: tool.name, totalQuantity: many });
    for (const later of [0, 1, 2, 30]) {
      at(later);
      await sweepOnce(desk.deps);
    }
    expect(warnings()).toMatchObject([{ level: 40, share: 0.75 }]);
    at(61);
    await sweepOnce(desk.deps);
    expect(warnings()).toHaveLength(2);
    at(200);
    await sweepOnce(desk.deps);
    expect(warnings()).toHaveLength(2);
  });
});
