import { setTimeout as sleep } from 'node:timers/promises';
import { expectEventually } from '../../support/wait';
import { bearer, newAdmin } from '../../support/customers';
import { startShop } from '../../support/shop';

/** Longer than the server waits before it renders the page anew. */
const RENDERED_AGAIN_MS = 2000;

async function openHomePage() {
  const shop = await startShop();
  const headers = { ...bearer(await newAdmin(shop)), 'content-type': 'application/json' };
  const shows = async (path: string, name: string) =>
    (await (await fetch(shop.origin + path, { headers: { accept: 'text/html' } })).text()).includes(name);
  async function addTool(name: string) {
    const tool = { name, price: 7, minimumOrderQuantity: 1, availableQuantity: 9, description: 'Flat.', img: '/t.svg' };
    const added = await fetch(`${shop.origin}/tool`, { method: 'POST', headers, body: JSON.stringify(tool) });
    expect(added.status).toBe(201);
  }
  return { shows, addTool, close: shop.close };
}

test('who comes first to the home page after a change, however much later, finds it there', async () => {
  const { shows, addTool, close } = await openHomePage();
  expect([await shows('/', 'Plane'), await shows('/home', 'Plane')]).toEqual([false, false]);
  await addTool('Plane');
  await expectEventually(() => shows('/home', 'Plane'), true);
  expect(await shows('/', 'Plane')).toBe(true);
  await close();
});

test('a home page that nobody opened since it was rendered is rendered for the next visitor, with every change', async () => {
  const { shows, addTool, close } = await openHomePage();
  expect(await shows('/', 'Plane')).toBe(false);
  await addTool('Plane');
  await sleep(RENDERED_AGAIN_MS);
  await addTool('Chisel');
  const all = await Promise.all([shows('/', 'Chisel'), shows('/', 'Plane'), shows('/', 'Chisel')]);
  expect(all).toEqual([true, true, true]);
  await close();
});
