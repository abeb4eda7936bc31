import { shopOrigin } from '../../../support/api';
import { launchBrowser, newVisitor } from '../../../support/browser';
import { insertUnpricedOrders } from '../../../support/checkout';
import { signInAsNewUser } from '../../../support/session';
import { waitUntil } from '../../../support/wait';

interface TraceEvent {
  args: { elementCount?: number };
}

test('opening the delete dialog on a page with 400 orders does not recalculate the styles of all cells', async () => {
  const rowCount = 400;
  // A trace covers the whole browser, so this test uses a browser of its own.
  const browser = await launchBrowser();
  const { page } = await newVisitor(browser, shopOrigin());
  await insertUnpricedOrders(await signInAsNewUser(page), rowCount);
  await page.goto('/dashboard/myorder');
  const deleteButtons = page.getByRole('main').getByRole('button', { name: 'Delete' });
  await deleteButtons.first().waitFor();
  await waitUntil(async () => {
    await page.mouse.wheel(0, 4000);
    return Number(await page.getByRole('row').last().getAttribute('aria-rowindex')) > rowCount;
  });
  await browser.startTracing(page, { categories: ['devtools.timeline'] });
  await deleteButtons.last().click();
  await page.getByRole('dialog').waitFor();
  const { traceEvents } = JSON.parse(String(await browser.stopTracing())) as { traceEvents: TraceEvent[] };
  const restyledCounts = traceEvents.map(({ args }) => args.elementCount ?? 0);
  expect(Math.max(...restyledCounts)).toBeGreaterThan(10);
  expect(Math.max(...restyledCounts)).toBeLessThan(2 * rowCount);
  await browser.close();
});
