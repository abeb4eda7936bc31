import { buffer } from 'node:stream/consumers';
import { findDisplayProblems } from '../../support/assertions';
import { browserFixture } from '../../support/browser';
import { query } from '../../support/database';
import { openKeyboard } from '../../support/keyboard';
import { signInAsDemoUser } from '../../support/session';
import { newTool } from '../../support/tools';

const fixture = browserFixture();

async function openTools() {
  await signInAsDemoUser(fixture.page, 'admin');
  await fixture.page.goto('/dashboard/addproduct');
  await fixture.page.getByText(/^[\d,]+ tools$/).waitFor();
}
const upload = (csv: string) =>
  fixture.page
    .getByLabel('List of tools')
    .setInputFiles({ name: 'tools.csv', mimeType: 'application/vnd.ms-excel', buffer: Buffer.from(csv) });
const button = (name: string) => fixture.page.getByRole('main').getByRole('button', { name, exact: true });

test('the downloaded list can be edited, uploaded again, and imported by keyboard', async () => {
  const tool = await newTool();
  await openTools();
  const { page } = fixture;
  const keys = openKeyboard(page);
  const downloading = page.waitForEvent('download');
  await keys.activate(button('Download the list'));
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('tools.csv');
  const csv = (await buffer(await download.createReadStream())).toString();
  const row = `${tool._id},${tool.name},18,20,640,For a test.,/images/tools/claw-hammer.svg,true,640`;
  expect([csv.startsWith('\ufeff_id,name,'), csv.includes(row)]).toEqual([true, true]);
  await upload(csv.replace(row, row.replace(',18,', ',25,').replace(',640,For', ',600,For')));
  await keys.expectFocus(page.getByRole('heading', { name: 'tools.csv' }));
  await keys.activate(button('Import 1 tool'), 'Space');
  await page.getByText('Imported the list: 0 added, 1 changed.').waitFor();
  await keys.expectFocus(button('Upload a list'));
  expect(keys.focusProblems).toEqual([]);
  const [stored] = await query('select price, available_quantity from tools where id = $1', [tool._id]);
  expect(stored).toEqual({ price: 25, available_quantity: 600 });
});

test('the preview of a list is accessible and fits every display', async () => {
  const tool = await newTool();
  await openTools();
  const long = 'A text without an end. '.repeat(20);
  await upload(`_id,price,description,name\n${tool._id},25,${long},\n,0,${long},${'LongName'.repeat(15)}\n,,,\n`);
  await fixture.page.getByText('1 with errors, 1 changed, 0 new, 0 unchanged').waitFor();
  expect(await findDisplayProblems(fixture.page, 'errors', 'main')).toEqual([]);
  await upload(`_id,price,description\n${tool._id},25,${long}\n`);
  await button('Import 1 tool').waitFor();
  expect(await findDisplayProblems(fixture.page, 'preview', 'main')).toEqual([]);
  await upload('name\n"');
  await fixture.page.getByText(/^Line 2, column "name": /).waitFor();
  expect(await findDisplayProblems(fixture.page, 'failure', 'main')).toEqual([]);
});
