import type { Tool } from '../../../src/contract/entities';
import { browserFixture, fill } from '../../support/browser';
import { payWithCard } from '../../support/checkout';
import { newEmail } from '../../support/customers';
import { createTestDatabase } from '../../support/database';
import { startServer, type RunningServer } from '../../support/server';
import { waitForPath, signUp, mainButton } from '../../support/session';
import { CARDS } from '../../support/cards';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let shop: RunningServer;
beforeAll(async () => {
  database = await createTestDatabase();
  shop = await startServer({ ...database.env, DEMO: 'on', DEMO_EXPOSED: 'on', RATE_LIMIT: 'off' });
});
afterAll(async () => {
  await shop.stop();
  await database.drop();
});

const fixture = browserFixture(() => `http://shop.test:${new URL(shop.origin).port}`);

const OPENER_POLICY_IGNORED = /^The Cross-Origin-Opener-Policy header has been ignored/;

test('the demo works over plain HTTP under a host name other than localhost, including payments, and Copy asks the customer to copy the ID', async () => {
  const { page, visitor } = fixture;
  visitor.allowedErrors.push(OPENER_POLICY_IGNORED);
  const [tool] = (await (await fetch(`${shop.origin}/tool`)).json()) as [Tool];
  await signUp(page, newEmail());
  expect(await page.evaluate(() => [isSecureContext, 'randomUUID' in crypto, 'clipboard' in navigator])).toEqual([
    false,
    false,
    false,
  ]);
  await page.goto(`/purchase/${tool._id}`);
  await fill(page, { Address: '18 Foundry Row', Phone: '555 0142', Quantity: String(tool.minimumOrderQuantity) });
  await mainButton(page, 'Place order').click();
  await waitForPath(page, '/dashboard/myorder');
  await page.getByRole('row', { name: tool.name }).getByRole('link', { name: 'Pay', exact: true }).click();
  await payWithCard(page, CARDS.pays);
  await mainButton(page, 'Copy').click();
  await mainButton(page, 'Select the ID and copy it').waitFor();
});
