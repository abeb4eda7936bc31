import { comesToBe } from '../support/comesToBe';
import { bearer, newAdmin } from '../support/customers';
import { startShop } from '../support/shop';

test('who comes first to the home page after a change, however much later, finds it there', async () => {
  const shop = await startShop();
  const name = `Plane ${Date.now()}`;
  const shows = async (path: string) =>
    (await (await fetch(shop.origin + path, { headers: { accept: 'text/html' } })).text()).includes(name);
  expect([await shows('/'), await shows('/home')]).toEqual([false, false]);
  const headers = { ...bearer(await newAdmin(shop)), 'content-type': 'application/json' };
  const tool = { name, price: 7, minimumOrderQuantity: 1, availableQuantity: 9, description: 'Flat.', img: '/t.svg' };
  const added = await fetch(`${shop.origin}/tool`, { method: 'POST', headers, body: JSON.stringify(tool) });
  expect(added.status).toBe(201);
  await comesToBe(() => shows('/home'), true);
  expect(await shows('/')).toBe(true);
  await shop.close();
});
