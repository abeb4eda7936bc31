import { randomUUID } from 'node:crypto';
import { callShop, putUser, shopOrigin } from '../../support/api';
import { browserFixture } from '../../support/browser';
import { newAccount, newEmail } from '../../support/customers';
import { listTools, newTool } from '../../support/tools';
import { expectEventually } from '../../support/wait';

const fixture = browserFixture();

async function addReview(review: { description: string; ratings: number; img: string }) {
  const email = newEmail();
  const { idToken } = await newAccount(email);
  const { token } = (await putUser(shopOrigin(), email, idToken)).body;
  const { status, body } = await callShop(shopOrigin(), '/review', { method: 'POST', token, body: review });
  expect(status).toBe(201);
  return String(body['name']);
}

async function open(path: string) {
  const { page } = fixture;
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.goto(path);
  return page;
}

// Clause A.2.28
test('a tool card shows the tool’s fields and links to its purchase page', async () => {
  const tool = await newTool();
  const page = await open(`/?q=${encodeURIComponent(tool.name)}`);
  const card = page.locator('li').filter({ has: page.getByRole('heading', { name: tool.name, exact: true }) });
  await card.locator('img').waitFor();
  const text = (await card.textContent())!.replace(/\s+/g, ' ');
  expect(text).toContain(`Price: $ ${tool.price}`);
  expect(text).toContain(tool.description.replaceAll('\n', ' '));
  expect(text).toContain(`Available: ${tool.availableQuantity} piece`);
  expect(text).toContain(`Minimum Order: ${tool.minimumOrderQuantity}`);
  expect(await card.getByRole('link', { name: /^Purchase/ }).getAttribute('href')).toBe(`/purchase/${tool._id}`);
});

// Clauses A.2.12, A.9.6
test.each([
  [1280, 3],
  [1024, 3],
  [800, 2],
  [390, 2],
])('at a width of %i pixels the tool grid has %i columns', async (width, columns) => {
  const page = await open('/');
  await page.setViewportSize({ width, height: 800 });
  const leftEdges = await page
    .locator('li:has(a[href^="/purchase/"])')
    .evaluateAll((cards) => cards.slice(0, 6).map((card) => card.getBoundingClientRect().x));
  expect(new Set(leftEdges).size).toBe(columns);
});

// Clause A.2.29
test("a review card shows the review's description, image, name, rating and five stars", async () => {
  const page = await open('/');
  const description = `For a test, ${randomUUID()}`;
  const name = await addReview({ description, ratings: 4, img: '/images/people/aiko-tanabe.svg' });
  await page.goto('/');
  const card = page.locator('main li').filter({ hasText: description });
  await card.waitFor();
  expect((await card.textContent())!.replace(/\s+/g, ' ')).toContain(name);
  expect((await card.textContent())!.replace(/\s+/g, ' ')).toContain('Ratings: 4');
  expect(await card.locator('svg').count()).toBe(5);
  expect(await card.locator('img').count()).toBe(1);
});

// Clauses A.2.23, C.16.2
test('the newsletter box says that it does not save the email', async () => {
  const page = await open('/');
  const footer = page.getByRole('contentinfo');
  await footer.locator('input[type=email]').fill('ann@mail.example');
  await footer.getByRole('button', { name: 'Subscribe' }).click();
  await footer.getByRole('status').filter({ hasText: "so we didn't save your email" }).waitFor();
});

// Clauses C.12.1, C.13.3
test('the first hundred tools are in the HTML, and the full list is not sent again to a client that has it', async () => {
  const tools = await listTools();
  const findMissingTools = async () => {
    const html = await (await fetch(shopOrigin(), { headers: { accept: 'text/html' } })).text();
    return tools.slice(0, 100).filter(({ _id }) => !html.includes(`href="/purchase/${_id}"`));
  };
  await expectEventually(findMissingTools, []);
  const readUnchanged = async () => {
    const { headers } = await fetch(`${shopOrigin()}/tool`);
    const response = await fetch(`${shopOrigin()}/tool`, { headers: { 'if-none-match': headers.get('etag')! } });
    return [response.status, await response.text()];
  };
  await expectEventually(readUnchanged, [304, '']);
});
