import { screen, waitFor, within } from '@testing-library/react';
import { fill, openPage, signUp, user } from '../../support/page';
import { newTool, changeTool } from '../../support/tools';

const SENTENCE = "This tool isn't for sale anymore.";
const main = () => within(screen.getByRole('main'));

test('the purchase page of a tool that is not for sale says so and links back to the tools', async () => {
  const tool = await newTool();
  await changeTool(tool._id, { on_sale: false });
  await signUp();
  await openPage(`/purchase/${tool._id}`);
  expect(await screen.findByText(SENTENCE)).toBeVisible();
  expect(screen.getByRole('heading', { name: SENTENCE })).not.toHaveFocus();
  expect(main().queryByRole('button', { name: 'Place order' })).toBeNull();
  await user.click(main().getByRole('link', { name: 'See the tools for sale' }));
  expect(await screen.findByRole('heading', { name: 'Tools' })).toBeVisible();
  expect(screen.queryByRole('heading', { name: tool.name })).toBeNull();
});

test('an order of a tool that has just been taken off sale is rejected, and the message gets the focus', async () => {
  const tool = await newTool();
  await signUp();
  await openPage(`/purchase/${tool._id}`);
  await fill({ Address: '18 Foundry Row', Phone: '555 0142', Quantity: '20' });
  await changeTool(tool._id, { on_sale: false });
  await user.click(main().getByRole('button', { name: 'Place order' }));
  expect(await screen.findByRole('heading', { name: SENTENCE })).toBeVisible();
  await waitFor(() => expect(screen.getByRole('heading', { name: SENTENCE })).toHaveFocus());
});
