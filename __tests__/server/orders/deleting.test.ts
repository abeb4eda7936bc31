import { eq, sql } from 'drizzle-orm';
import { orders } from '../../../server/db/schema';
import { openCardTestKit } from '../../support/cards';
import { openOrderTestKit, type OrderTestKit, sound } from '../../support/orders';
import { interleaving } from '../../support/checkpoints';
import type { Customer } from '../../support/customers';

const moments = interleaving();
let desk: OrderTestKit;
let cards: ReturnType<typeof openCardTestKit>;
beforeAll(async () => {
  desk = await openOrderTestKit({ checkpoint: moments.checkpoint });
  cards = openCardTestKit(desk);
});
afterAll(async () => {
  expect(await desk.audit()).toEqual(sound);
  await desk.close();
});

async function placed(totalQuantity = 10) {
  const [ann, tool] = [await desk.customer(), await desk.tool()];
  const { body } = await desk.order(ann, { productName: tool.name, totalQuantity });
  return { ann, tool, id: body._id, total: totalQuantity * 7 };
}

const remove = async (who: Customer | null, id: string) => {
  const { status, body } = await desk.call(who, 'DELETE', `/order/${id}`);
  return [status, body?.code];
};
const isPaid = async (who: Customer, id: string) => (await desk.call(who, 'GET', `/order/${id}`)).body.paid;

// Clauses A.4.7, A.7.10, C.3.7, C.7.3
it('an unpaid order goes, its stock returns, and a second time there is none', async () => {
  const { ann, tool, id } = await placed();
  expect(await remove(ann, id)).toEqual([204, undefined]);
  expect(await desk.available(tool.id)).toBe(100);
  expect(await remove(ann, id)).toEqual([404, 'not_found']);
  expect((await desk.call(ann, 'GET', `/order/${id}`)).status).toBe(404);
  expect((await desk.call<unknown[]>(ann, 'GET', `/order?email=${ann.email}`)).body).toEqual([]);
});

it('an unpriced order goes too', async () => {
  const { ann, tool, id } = await placed(101);
  expect(await remove(ann, id)).toEqual([204, undefined]);
  expect(await desk.available(tool.id)).toBe(100);
});

// Clauses C.2.10, C.7.1
it("nobody deletes somebody else's order, or one that never was; an admin deletes any unpaid one", async () => {
  const { ann, id } = await placed();
  const [bob, admin] = [await desk.customer(), await desk.customer('admin')];
  expect(await remove(bob, id)).toEqual([404, 'not_found']);
  expect(await remove(null, id)).toEqual([401, 'auth_required']);
  for (const unknown of ['x', '1', '00000000-0000-4000-8000-000000000000', "' or 1=1 --"])
    expect(await remove(ann, encodeURIComponent(unknown))).toEqual([404, 'not_found']);
  expect(await remove(admin, id)).toEqual([204, undefined]);
});

it('deleted twenty times at once it returns its stock once', async () => {
  const { ann, tool, id } = await placed();
  const answers = await Promise.all(Array.from({ length: 20 }, () => remove(ann, id)));
  expect(answers.map(([status]) => status).sort()).toEqual([204, ...Array<number>(19).fill(404)]);
  expect(await desk.available(tool.id)).toBe(100);
});

// Clauses C.4.4, C.7.1, C.7.4
it('a paid order stays', async () => {
  const { ann, tool, id, total } = await placed();
  await cards.pay(ann, id, total);
  expect(await remove(ann, id)).toEqual([409, 'order_paid']);
  expect(await remove(await desk.customer('admin'), id)).toEqual([409, 'order_paid']);
  expect([await isPaid(ann, id), await desk.available(tool.id)]).toEqual([true, 90]);
});

// Clause C.7.3
it('the intent of a deleted order is cancelled: nobody can pay it any more', async () => {
  const { ann, id, total } = await placed();
  const { intent, clientSecret } = await cards.begin(ann, id, total);
  expect(await remove(ann, id)).toEqual([204, undefined]);
  expect((await desk.deps.provider.findIntent(intent))?.status).toBe('canceled');
  expect((await cards.confirm(intent, clientSecret)).status).not.toBe('succeeded');
});

it('paid at the provider before the delete: it is paid, and not deleted', async () => {
  const { ann, tool, id, total } = await placed();
  const { intent, clientSecret } = await cards.begin(ann, id, total);
  await cards.confirm(intent, clientSecret);
  expect(await remove(ann, id)).toEqual([409, 'order_paid']);
  expect([await isPaid(ann, id), await desk.available(tool.id)]).toEqual([true, 90]);
});

it('settled just before the delete looks: it is paid, and not deleted', async () => {
  const { ann, tool, id, total } = await placed();
  moments.justBefore('delete order', () => cards.pay(ann, id, total));
  expect(await remove(ann, id)).toEqual([409, 'order_paid']);
  expect([await isPaid(ann, id), await desk.available(tool.id), moments.allCame()]).toEqual([true, 90, true]);
});

it('who begins to pay while the intent is being cancelled finds no order, and is not charged', async () => {
  const { ann, tool, id, total } = await placed();
  const { intent, clientSecret } = await cards.begin(ann, id, total);
  let began: Promise<{ status: number }> | undefined;
  moments.justBefore('finish delete', async () => {
    began = cards.begin(ann, id, total);
    expect((await cards.confirm(intent, clientSecret)).status).not.toBe('succeeded');
  });
  expect(await remove(ann, id)).toEqual([204, undefined]);
  expect((await began)?.status).toBe(404);
  expect(await desk.available(tool.id)).toBe(100);
});

it('a delete that took so long that its claim ran out does not take the order from who pays now', async () => {
  const { ann, tool, id, total } = await placed();
  await cards.begin(ann, id, total);
  let paid: Awaited<ReturnType<typeof cards.pay>> | undefined;
  moments.justBefore('finish delete', async () => {
    await desk.deps.db.execute(sql`update orders set deleting_until = now() - interval '1 second' where id = ${id}`);
    paid = await cards.pay(ann, id, total);
  });
  expect(await remove(ann, id)).toEqual([409, 'order_paid']);
  expect([paid?.status, await isPaid(ann, id), await desk.available(tool.id)]).toEqual([200, true, 90]);
});

it.each([
  ['releases its own claim', null],
  ['leaves the claim of another', new Date(Date.now() + 120_000)],
])('a delete that fails %s', async (_what, another) => {
  const { ann, id, total } = await placed();
  await cards.begin(ann, id, total);
  moments.justBefore('finish delete', async () => {
    if (another) await desk.deps.db.update(orders).set({ deletingUntil: another }).where(eq(orders.id, id));
    throw new Error('the server trips');
  });
  expect(await remove(ann, id)).toEqual([500, 'internal']);
  const [row] = await desk.deps.db.select().from(orders).where(eq(orders.id, id));
  expect(row?.deletingUntil).toEqual(another);
});

it('a delete whose claim ran out cancels the intent that was made meanwhile as well', async () => {
  const { ann, tool, id, total } = await placed();
  await cards.begin(ann, id, total);
  let second = '';
  moments.justBefore('finish delete', async () => {
    await desk.deps.db.execute(sql`update orders set deleting_until = now() - interval '1 second' where id = ${id}`);
    second = (await cards.begin(ann, id, total)).intent;
  });
  expect(await remove(ann, id)).toEqual([204, undefined]);
  expect((await desk.deps.provider.findIntent(second))?.status).toBe('canceled');
  expect(await desk.available(tool.id)).toBe(100);
});
