import { findDisplayProblems } from '../../support/assertions';
import { browserFixture, fill } from '../../support/browser';
import { payOrder } from '../../support/checkout';
import { newEmail, PASSWORD } from '../../support/customers';
import { mainButton, waitForPath, waitUntilInteractive } from '../../support/session';
import { newTool } from '../../support/tools';

const fixture = browserFixture();
const main = () => fixture.page.getByRole('main');
const newOrder = () => fixture.page.getByRole('region', { name: 'Your new order' });

test('a visitor who signs up to order a tool returns to it, and is led to the payment after the order', async () => {
  const { page } = fixture;
  const tool = await newTool();
  await page.goto(`/purchase/${tool._id}`);
  await waitForPath(page, '/login');
  await page.getByRole('link', { name: 'Create an account' }).click();
  await main().getByText(`Log in or sign up to order ${tool.name}`).waitFor();
  await fill(page, { Name: 'Ann Lee', Email: newEmail(), Password: PASSWORD });
  await mainButton(page, 'Sign up').click();
  await waitForPath(page, `/purchase/${tool._id}`);
  await fill(page, { Address: '18 Foundry Row', Phone: '555 0142' });
  await mainButton(page, 'Place order').click();
  await waitForPath(page, '/dashboard/myorder');
  await newOrder().getByText('Held for you until').waitFor();
  expect(await findDisplayProblems(page, 'My Orders after an order', 'main')).toEqual([]);
  await page.reload();
  await newOrder().getByRole('link', { name: 'Pay $360 now' }).click();
  await main().getByText('Total $ 360').waitFor();

  await payOrder(page, { _id: page.url().split('/').at(-1)!, total: 360 });
  await page.goBack();
  await waitUntilInteractive(page);
  await main().getByText('Not shipped yet').waitFor();
  expect(await newOrder().count()).toBe(0);
});
