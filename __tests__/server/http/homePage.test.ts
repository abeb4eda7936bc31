import { setTimeout as sleep } from 'node:timers/promises';
import { expectEventually } from '../../support/wait';
import { bearer, newAdmin } from '../../support/customers';
import { startShop } from '../../support/shop';

/** Longer than the server waits before it renders the page again. */
const RENDER_AGAIN_MS = 2000;

async function openHomePageTestKit() {
  const shop = await startShop();
  const headers = { ...bearer(await newAdmin(shop)), 'content-type': 'application/json' };
  const pageContains = async (path: string, name: string) =>
    (await (await fetch(shop.origin + path, { headers: { accept: 'text/html' } })).text()).includes(name);
  async function addTool(name: string) {
    const tool = { name, price: 7, minimumOrderQuantity: 1, availableQuantity: 9, description: 'Flat.', img: '/t.svg' };
    const response = await fetch(`${shop.origin}/tool`, { method: 'POST', headers, body: JSON.stringify(tool) });
    expect(response.status).toBe(201);
  }
  return { pageContains, addTool, close: shop.close };
}

test('the home page soon shows a change, at / as well as at /home', async () => {
  const { pageContains, addTool, close } = await openHomePageTestKit();
  expect([await pageContains('/', 'Plane'), await pageContains('/home', 'Plane')]).toEqual([false, false]);
  await addTool('Plane');
  await expectEventually(() => pageContains('/home', 'Plane'), true);
  expect(await pageContains('/', 'Plane')).toBe(true);
  await close();
});

test('after a period without visits, the next visitors to the home page see every change made meanwhile', async () => {
  const { pageContains, addTool, close } = await openHomePageTestKit();
  expect(await pageContains('/', 'Plane')).toBe(false);
  await addTool('Plane');
  await sleep(RENDER_AGAIN_MS);
  await addTool('Chisel');
  const areShown = await Promise.all([
    pageContains('/', 'Chisel'),
    pageContains('/', 'Plane'),
    pageContains('/', 'Chisel'),
  ]);
  expect(areShown).toEqual([true, true, true]);
  await close();
});
