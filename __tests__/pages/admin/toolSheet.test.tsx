import { screen, within } from '@testing-library/react';
import type { Tool } from '../../../src/contract/entities';
import { APP_MESSAGES } from '../../../src/contract/appMessages';
import { clearDrafts } from '../../../src/forms/drafts';
import { query } from '../../support/database';
import { openPage, user, signInAsAdmin } from '../../support/page';
import { holdRequests, replaceFetch, watchCalls } from '../../support/pageCalls';
import { newTool } from '../../support/tools';

const sent = watchCalls();
const imports = () => sent.filter(({ call }) => call === 'POST /tool/import');
const readStored = async ({ _id }: Tool) =>
  (await query('select price, available_quantity from tools where id = $1', [_id]))[0];

const chooseFile = async (file: File) => user.upload(await screen.findByLabelText('List of tools'), file);
const choose = (content: string, name = 'prices.csv') => chooseFile(new File([content], name, { type: 'text/csv' }));
const preview = async (name = 'prices.csv') => {
  const title = await screen.findByRole('heading', { level: 3, name });
  return within(title.closest('section')!);
};
const listRows = ({ getAllByRole }: Awaited<ReturnType<typeof preview>>) =>
  getAllByRole('listitem').map(({ textContent }) => textContent);

let page: Awaited<ReturnType<typeof openPage>>;
beforeAll(signInAsAdmin);
beforeEach(async () => {
  clearDrafts();
  sent.length = 0;
  page = await openPage('/dashboard/addproduct');
});

describe('An uploaded list', () => {
  test('with errors shows these rows first, and cannot be imported', async () => {
    const tool = await newTool();
    await choose(`_id,price,name\n${tool._id},25,\n,12,New\n`);
    const shown = await preview();
    expect(shown.getByText('1 with errors, 1 changed, 0 new, 0 unchanged')).toBeVisible();
    expect(listRows(shown)[0]).toContain('NewLine 3minimumOrderQuantity: is required.');
    expect(shown.queryByRole('button', { name: /^Import/ })).toBeNull();
    await user.click(shown.getByRole('button', { name: 'Close' }));
    expect(screen.getByRole('button', { name: 'Upload a list' })).toHaveFocus();
    expect(await readStored(tool)).toMatchObject({ price: 18 });
  });

  test('without a change, and one that leaves the stock alone, says so', async () => {
    const tool = await newTool();
    await choose(`_id,availableQuantity\n${tool._id},5\n`);
    const shown = await preview();
    expect(shown.getByText('The shop has all of this already. There is nothing to import.')).toBeVisible();
    const note = "The stock of 1 tool doesn't change, because the column knownQuantity is missing.";
    expect(shown.getByText(note)).toBeVisible();
  });

  test('whose response is lost is imported once, even if the page is reloaded and the file is chosen again', async () => {
    const tool = await newTool();
    const csv = `_id,knownQuantity,availableQuantity\n${tool._id},640,650\n`;
    const file = new File([csv], 'prices.csv', { type: 'text/csv' });
    await chooseFile(file);
    const restoreFetch = replaceFetch((originalFetch) => async (input, init) => {
      const response = await originalFetch(input, init);
      if ((input as Request).url.endsWith('/tool/import')) throw new TypeError('The connection was lost.');
      return response;
    });
    const press = async () => user.click((await preview()).getByRole('button', { name: 'Import 1 tool' }));
    await press();
    await user.click(await screen.findByRole('button', { name: 'Stop' }));
    expect(await screen.findByText(APP_MESSAGES.offline)).toBeVisible();
    restoreFetch();
    page.unmount();
    await openPage('/dashboard/addproduct');
    await chooseFile(file);
    await press();
    expect(await screen.findByText('Imported the list: 0 added, 1 changed.')).toBeVisible();
    expect(await readStored(tool)).toMatchObject({ available_quantity: 650 });
  });
});

test('while a list is read, another cannot be chosen', async () => {
  const tool = await newTool();
  const release = holdRequests('POST');
  await choose(`_id,price\n${tool._id},25\n`);
  await choose(`_id,price\n${tool._id},26\n`, 'other.csv');
  release();
  expect(listRows(await preview())).toEqual([`${tool.name}Line 2price: 18 → 25`]);
  expect(imports()).toHaveLength(1);
});
