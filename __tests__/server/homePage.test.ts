import { setTimeout as sleep } from 'node:timers/promises';
import { bearer, newAdmin } from '../support/customers';
import { startShop } from '../support/shop';

test('who comes first to the home page after a change, however much later, finds it there', async () => {
  const shop = await startShop();
  const name = `Plane ${Date.now()}`;
  const page = async () => (await fetch(shop.origin, { headers: { accept: 'text/html' } })).text();
  expect(await page()).not.toContain(name);
  const headers = { ...bearer(await newAdmin(shop)), 'content-type': 'application/json' };
  const tool = { name, price: 7, minimumOrderQuantity: 1, availableQuantity: 9, description: 'Flat.', img: '/t.svg' };
  const added = await fetch(`${shop.origin}/tool`, { method: 'POST', headers, body: JSON.stringify(tool) });
  expect(added.status).toBe(201);
  await sleep(3000);
  expect(await page()).toContain(name);
  await shop.close();
});
