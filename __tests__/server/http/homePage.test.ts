import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expectEventually, waitUntil } from '../../support/wait';
import { bearer, newAdmin } from '../../support/customers';
import { startShop } from '../../support/shop';

/** Longer than the server waits before it renders the page again. A slow machine needs even longer to render it. */
const FIRST_PERIOD_MS = 1_500;

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

test('after a long enough period without visits, the next visitors to the home page see every change made meanwhile', async () => {
  const { pageContains, addTool, close } = await openHomePageTestKit();
  let periodMs = FIRST_PERIOD_MS;
  await waitUntil(async () => {
    const [early, late] = [randomUUID(), randomUUID()];
    expect(await pageContains('/', early)).toBe(false);
    await addTool(early);
    await sleep(periodMs);
    periodMs *= 2;
    await addTool(late);
    const areShown = await Promise.all([pageContains('/', late), pageContains('/', early), pageContains('/', late)]);
    return areShown.every(Boolean);
  });
  await close();
});
