import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stopAll } from '../bench/machine.mjs';
import { startShop } from '../bench/shop.mjs';
import { buildIfStale } from './build.mjs';
import { openChromium } from './chromium.mjs';
import { installAll, root } from './install.mjs';

await installAll();
await buildIfStale();

const folder = join(root, 'docs/screens');
const SIZE = { width: 1280, height: 1000 };
const QUALITY = 72;

async function logIn(page) {
  await page.goto('/login');
  await page.getByRole('button', { name: 'customer@forgeline.example' }).click();
  await page.getByRole('main').getByRole('button', { name: 'Login', exact: true }).click();
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
}

/** Places an order as the purchase page does; answers its id. */
const order = (page, number, add) =>
  page.evaluate(
    async ([number, add]) => {
      const tools = await (await fetch('/tool', { headers: { accept: 'application/json' } })).json();
      const { _id: toolId, name: productName, minimumOrderQuantity } = tools[number];
      const headers = {
        'content-type': 'application/json',
        authorization: `Bearer ${globalThis.localStorage.getItem('accessToken')}`,
      };
      const body = { toolId, productName, totalQuantity: minimumOrderQuantity + add, address: 'a', phone: 'p' };
      const answer = await fetch('/order', { method: 'POST', headers, body: JSON.stringify(body) });
      return (await answer.json())._id;
    },
    [number, add],
  );

async function pay(page, id) {
  await page.goto(`/dashboard/payment/${id}`);
  const card = page.frameLocator('iframe[title="Secure card payment input frame"]');
  const fields = { cardnumber: '4242424242424242', 'exp-date': '12 / 40', cvc: '123', postal: '12345' };
  for (const [name, text] of Object.entries(fields)) await card.locator(`[name=${name}]`).fill(text);
  await page.getByRole('button', { name: 'PAY', exact: true }).click();
  await page.getByText('Paid', { exact: true }).waitFor();
}

async function fillPurchase(page) {
  await page.goto('/');
  await page.getByRole('link', { name: 'Purchase' }).nth(1).click();
  const fields = { Address: '18 Foundry Row, Rockford', Phone: '+1 312 555 0142', Quantity: '64' };
  for (const [label, text] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(text);
  await page.locator('h1').click();
}

/** Whole: every picture in sight is there, and nothing is on its way from one look to another. */
const settle = (page) =>
  page.evaluate(async () => {
    const { document, scrollTo, requestAnimationFrame } = globalThis;
    scrollTo(0, 0);
    await Promise.all([...document.images].filter(({ loading }) => loading !== 'lazy').map((image) => image.decode()));
    await Promise.all(document.getAnimations().map((run) => run.finished.catch(() => undefined)));
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
  });

async function take(page, name, colorScheme, open) {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await open();
  await page.waitForLoadState('networkidle');
  await settle(page);
  const cdp = await page.context().newCDPSession(page);
  const { data } = await cdp.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY });
  writeFileSync(join(folder, `${name}-${colorScheme}.webp`), Buffer.from(data, 'base64'));
}

/** A demo of its own, so that the pictures are the same whatever was ordered before. */
const demo = await startShop({ core: null });
let browser;
try {
  browser = await openChromium();
  const page = await (await browser.newContext({ baseURL: demo.origin, viewport: SIZE })).newPage();
  await logIn(page);
  await pay(page, await order(page, 0, 20));
  await order(page, 4, -1);
  const unpaid = await order(page, 1, 12);
  const views = {
    home: () => page.goto('/'),
    purchase: () => fillPurchase(page),
    'my-orders': () => page.goto('/dashboard/myorder'),
    payment: () => page.goto(`/dashboard/payment/${unpaid}`),
  };
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  for (const [name, open] of Object.entries(views))
    for (const scheme of ['light', 'dark']) await take(page, name, scheme, open);
} finally {
  await browser?.close();
  await stopAll();
}
