import type { Page } from 'playwright-core';
import type { Tool } from '../../../src/contract/entities';
import { removeInvisibleCharacters } from '../../../src/contract/displayName';
import { callShop } from '../../support/api';
import { horizontalOverflow } from '../../support/assertions';
import {
  allowError,
  newVisitor,
  connectToBrowser,
  storedToken,
  unexpectedErrors,
  type Visitor,
} from '../../support/browser';
import { newEmail } from '../../support/customers';
import { signInAsDemoUser } from '../../support/session';
import { expectEventually } from '../../support/wait';
import { freshDatabase, type TestDatabase } from '../../support/database';
import { LONG_WORD, ODD_TEXTS, XSS_VECTORS } from '../../support/data/hostileInput';
import { startServer, type RunningServer } from '../../support/server';

let database: TestDatabase;
let shop: RunningServer;
let browser: Awaited<ReturnType<typeof connectToBrowser>>;
let visitor: Visitor;
let page: Page;

const TEXTS = [...XSS_VECTORS, ...Object.values(ODD_TEXTS), LONG_WORD];
const PICTURE = '/images/placeholder.svg';
const HAMMER = '/images/tools/claw-hammer.svg';
const MARKUP_NAME = '<img src=x onerror=alert(1)>';

beforeAll(async () => {
  [database, browser] = await Promise.all([freshDatabase(), connectToBrowser()]);
  shop = await startServer({ DATABASE_URL: database.url, DEMO: 'on', RATE_LIMIT: 'off' });
  const admin = await newVisitor(browser, shop.origin);
  await signInAsDemoUser(admin.page, 'admin', shop.origin);
  const reviews = TEXTS.map((description) => ({ description, ratings: 5, img: PICTURE }));
  await post('/review', reviews, admin.page);
  await post('/tool', TEXTS.map(toolOf), admin.page);
  await admin.context.close();
});
afterAll(async () => {
  await browser.close();
  await shop.stop();
  await database.drop();
});
beforeEach(async () => {
  visitor = await newVisitor(browser, shop.origin);
  page = visitor.page;
  await visitor.context.addInitScript(() => {
    const seen: string[] = [];
    Object.assign(window, { seen, alert: (text: unknown) => seen.push(`ran: ${String(text)}`) });
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      seen.push(`blocked: ${violatedDirective} ${blockedURI}`),
    );
  });
});
afterEach(async () => {
  expect(await seen()).toEqual([]);
  expect(unexpectedErrors(visitor)).toEqual([]);
  await visitor.context.close();
});

const seen = () => page.evaluate(() => (window as unknown as { seen: string[] }).seen);
const main = () => page.getByRole('main');
const collapsed = (text: string) => text.replace(/\s+/g, ' ').trim();

async function post(path: string, bodies: object[], on = page) {
  const token = (await storedToken(on))!;
  const answers = await Promise.all(bodies.map((body) => callShop(shop.origin, path, { method: 'POST', token, body })));
  for (const { status } of answers) expect(status).toBe(201);
}

const toolOf = (text: string) => ({
  name: [...text].slice(0, 120).join(''),
  price: 1_000_000,
  minimumOrderQuantity: 1_000_000,
  availableQuantity: 1_000_000,
  description: text,
  img: PICTURE,
});

/** Down to the end of the page until all is there, as lists grow. */
const allShownIn = (selector: string, texts = TEXTS) =>
  expectEventually(async () => {
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    const shown = new Set((await page.locator(selector).allTextContents()).map(collapsed));
    return texts.filter((text) => !shown.has(collapsed(text)));
  }, []);

// Clause C.15.1
test('the tooth of this test: a script that does run is seen', async () => {
  await page.goto('/blogs');
  await page.evaluate(() => {
    const image = document.createElement('img');
    image.setAttribute('onerror', 'alert(1)');
    image.src = 'data:image/png;base64,x';
    document.body.append(image);
    const script = document.createElement('script');
    script.textContent = 'alert(2)';
    document.body.append(script);
  });
  await page.waitForFunction(() => (window as unknown as { seen: string[] }).seen.length >= 1);
  expect((await seen()).every((line) => line.startsWith('blocked: script-src'))).toBe(true);
  await page.evaluate(() => (window as unknown as { seen: string[] }).seen.splice(0));
  allowError(visitor, /Content Security Policy|net::ERR_INVALID_URL/);
});

/** Runs in the page: the cards that are wider than their place, whatever is in them. */
const wide = (cards: Element[]) =>
  cards
    .filter((card) => {
      const { left, right } = card.getBoundingClientRect();
      const inside = [...card.querySelectorAll('h3, p, blockquote')];
      return left < 0 || right > innerWidth || inside.some((text) => text.scrollWidth > text.clientWidth + 1);
    })
    .map((card) => card.textContent?.slice(0, 80));

// Clauses C.15.1, C.15.3
test('reviews and tools of any text stand on the home page as they were written', async () => {
  for (const width of [360, 768, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto('/');
    await allShownIn('#tools li p');
    await allShownIn('#reviews blockquote', TEXTS.map(removeInvisibleCharacters));
    expect(await horizontalOverflow(page)).toBe(0);
    expect(await page.locator('#tools li, #reviews li').evaluateAll(wide)).toEqual([]);
  }
});

/** Each text is put into the field as the keyboard does it; answers what the card beside it showed of each. */
const typedInTurn = (field: string, shown: string) =>
  main()
    .locator(`[name=${field}]`)
    .evaluate(
      async (input: HTMLInputElement, [texts, where]) => {
        const there: string[][] = [];
        for (const text of texts) {
          input.focus();
          input.select();
          document.execCommand('insertText', false, text);
          const beside = () => [...document.querySelectorAll(where)].map(({ textContent }) => textContent);
          for (let frames = 0; frames < 30 && !beside().includes(input.value); frames += 1)
            await new Promise(requestAnimationFrame);
          there.push(beside());
        }
        return there;
      },
      [TEXTS, shown] as const,
    );

// Clauses C.15.1, C.15.3
test('what is typed into a form is shown beside it as text', async () => {
  await signInAsDemoUser(page, 'admin', shop.origin);
  for (const [path, field, shown] of [
    ['/dashboard/addproduct', 'name', 'figure h3'],
    ['/dashboard/addproduct', 'description', 'figure p'],
    ['/dashboard/addreview', 'description', 'figure blockquote'],
  ] as const) {
    await page.goto(path);
    for (const [n, there] of (await typedInTurn(field, shown)).entries())
      expect(there.map(collapsed)).toContain(collapsed(TEXTS[n]!));
    await page.setViewportSize({ width: 360, height: 800 });
    expect(await horizontalOverflow(page)).toBe(0);
    await page.setViewportSize({ width: 1280, height: 800 });
  }
});

test('a new tool shows a picture that may be one, and none in its place that may not', async () => {
  await signInAsDemoUser(page, 'admin', shop.origin);
  await page.goto('/dashboard/addproduct');
  const shown = () => page.locator('figure img').getAttribute('src');
  for (const link of ['javascript:alert(1)', 'data:text/html,<script>alert(1)</script>', '//evil.example/a.png']) {
    await main().locator('[name=img]').fill(HAMMER);
    await expectEventually(shown, HAMMER);
    await main().locator('[name=img]').fill(link);
    await expectEventually(shown, PICTURE);
  }
});

// Clause C.15.1
test('a profile gives back what was put in, and its errors break nothing', async () => {
  await signInAsDemoUser(page, 'customer', shop.origin);
  await page.setViewportSize({ width: 360, height: 800 });
  for (const text of [...XSS_VECTORS.slice(0, 5), ODD_TEXTS['right-to-left text'], 'W'.repeat(300)]) {
    await post('/profile', [{ address: text, education: text, phone: '555', linkedIn: 'https://linkedin.example/a' }]);
    await page.goto('/dashboard');
    for (const field of ['address', 'education'])
      await expectEventually(() => main().locator(`[name=${field}]`).inputValue(), text);
    expect(await horizontalOverflow(page)).toBe(0);
  }
});

// Clause C.15.1
test('hostile words are words where one orders, looks at orders and pays', async () => {
  await signInAsDemoUser(page, 'customer', shop.origin);
  const tools = (await callShop(shop.origin, '/tool')).body as unknown as Tool[];
  await page.setViewportSize({ width: 360, height: 800 });
  for (const text of [XSS_VECTORS[0]!, XSS_VECTORS[12]!, LONG_WORD]) {
    const { _id, name } = tools.find(({ description }) => description === text)!;
    await page.goto(`/purchase/${_id}`);
    await main().getByText(text, { exact: true }).last().waitFor();
    expect(await horizontalOverflow(page)).toBe(0);
    await post('/order', [
      { productName: name, toolId: _id, totalQuantity: 7, address: text.slice(0, 300), phone: '5' },
    ]);
    await page.goto('/dashboard/myorder');
    await main().getByText(name, { exact: true }).first().waitFor();
    expect(await horizontalOverflow(page)).toBe(0);
  }
});

// Clause C.15.1
test('a name of markup is a name, in the navbar and on a review', async () => {
  await page.goto('/signup');
  await page.getByLabel('Name', { exact: true }).fill(MARKUP_NAME);
  await page.getByLabel('Email', { exact: true }).fill(newEmail());
  await page.getByLabel('Password', { exact: true }).fill('secret-1');
  await main().getByRole('button', { name: 'Sign up', exact: true }).click();
  await page.getByRole('navigation', { name: 'Main' }).getByText(MARKUP_NAME).waitFor();
  await post('/review', [{ description: 'Of markup', ratings: 1, img: PICTURE }]);
  await page.goto('/');
  await page.locator('#reviews h3').getByText(MARKUP_NAME).first().waitFor();
});
