import { count } from 'drizzle-orm';
import { orders } from '../../../server/db/schema';
import type { Tool } from '../../../src/contract/entities';
import { bearer, type Customer, newAdmin } from '../../support/customers';
import { startShop } from '../../support/shop';

let shop: Awaited<ReturnType<typeof startShop>>;
beforeAll(async () => void (shop = await startShop({ env: { DEMO: 'on' } })));
afterAll(() => shop.close());

const send = (method: string, path: string, customer: Customer, body: object) =>
  fetch(shop.origin + path, {
    method,
    headers: { 'content-type': 'application/json', ...bearer(customer) },
    body: JSON.stringify(body),
  });

async function placeOrder(customer: Customer) {
  const [tool] = (await (await fetch(`${shop.origin}/tool`)).json()) as Tool[];
  const { _id: toolId, name: productName, minimumOrderQuantity: totalQuantity } = tool!;
  return send('POST', '/order', customer, { toolId, productName, totalQuantity, address: 'a', phone: 'p' });
}

// Clause C.17.3
test('a new demo has tools and no orders', async () => {
  expect((await (await fetch(`${shop.origin}/tool`)).json()) as Tool[]).not.toEqual([]);
  expect(await shop.deps.db.select({ count: count() }).from(orders)).toEqual([{ count: 0 }]);
});

// Clause C.2.15
test('an admin of the demo can place an order', async () => {
  const admin = await newAdmin(shop);
  const response = await placeOrder(admin);
  expect(response.status).toBe(201);
  expect(await response.json()).toMatchObject({ email: admin.email, paid: false });
});
