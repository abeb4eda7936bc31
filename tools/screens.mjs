import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stopAll } from './bench/machine.mjs';
import { startShop } from './bench/shop.mjs';
import { buildIfStale } from '../scripts/build.mjs';
import { launchChromium } from '../scripts/chromium.mjs';
import { installAll, root } from '../scripts/install.mjs';

await installAll();
await buildIfStale();

const folder = join(root, 'docs/screens');
const VIEWPORT = { width: 1280, height: 1000 };
const WEBP_QUALITY = 72;

async function logIn(page) {
  await page.goto('/login');
  await page.getByRole('button', { name: 'customer@forgeline.example' }).click();
  await page.getByRole('main').getByRole('button', { name: 'Log in', exact: true }).click();
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
}

/**
 * Places an order as the user of the page. Its quantity is the tool's minimum quantity plus `extraQuantity`.
 * @returns its id
 */
const placeOrder = (page, toolIndex, extraQuantity) =>
  page.evaluate(
    async ([toolIndex, extraQuantity]) => {
      const tools = await (await fetch('/tool', { headers: { accept: 'application/json' } })).json();
      const { _id: toolId, name: productName, minimumOrderQuantity } = tools[toolIndex];
      const headers = {
        'content-type': 'application/json',
        authorization: `Bearer ${globalThis.localStorage.getItem('accessToken')}`,
      };
      const body = {
        toolId,
        productName,
        totalQuantity: minimumOrderQuantity + extraQuantity,
        address: '18 Foundry Row\nRockford, Illinois 61104',
        phone: '+1 312 555 0142',
      };
      const response = await fetch('/order', { method: 'POST', headers, body: JSON.stringify(body) });
      return (await response.json())._id;
    },
    [toolIndex, extraQuantity],
  );

async function payOrder(page, id) {
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
  await page.getByLabel('Quantity', { exact: true }).fill('64');
  await page.locator('h1').click();
}

/** Waits until all images that are not lazy are decoded and all animations have finished. */
const waitUntilStill = (page) =>
  page.evaluate(async () => {
    const { document, scrollTo, requestAnimationFrame } = globalThis;
    scrollTo(0, 0);
    await Promise.all([...document.images].filter(({ loading }) => loading !== 'lazy').map((image) => image.decode()));
    await Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => undefined)));
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  });

async function takeScreenshot(page, name, colorScheme, open) {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await open();
  await page.waitForLoadState('networkidle');
  await waitUntilStill(page);
  const devtools = await page.context().newCDPSession(page);
  const { data } = await devtools.send('Page.captureScreenshot', { format: 'webp', quality: WEBP_QUALITY });
  writeFileSync(join(folder, `${name}-${colorScheme}.webp`), Buffer.from(data, 'base64'));
}

/** Uses a new database, so that the orders of earlier runs do not change the screenshots. */
const demo = await startShop({ core: null });
let browser;
try {
  browser = await launchChromium();
  const page = await (await browser.newContext({ baseURL: demo.origin, viewport: VIEWPORT })).newPage();
  await logIn(page);
  await payOrder(page, await placeOrder(page, 0, 20));
  await placeOrder(page, 4, -1);
  const unpaid = await placeOrder(page, 1, 12);
  const views = {
    home: () => page.goto('/'),
    purchase: () => fillPurchase(page),
    'my-orders': () => page.goto('/dashboard/myorder'),
    payment: () => page.goto(`/dashboard/payment/${unpaid}`),
  };
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  for (const [name, open] of Object.entries(views))
    for (const scheme of ['light', 'dark']) await takeScreenshot(page, name, scheme, open);
} finally {
  await browser?.close();
  await stopAll();
}
