import { findDisplayProblems } from '../../support/assertions';
import { withFreshCustomer } from '../../support/checkout';
import { changeTool } from '../../support/tools';

const fixture = withFreshCustomer();

test("the purchase page lists the tool's specifications, and opens its picture in a dialog", async () => {
  await fixture.createOwnTool();
  await changeTool(fixture.tool._id, { description: 'For a test.\nStandard: DIN 1041' });
  await fixture.page.goto(`/purchase/${fixture.tool._id}`);
  await fixture.placeOrderButton().waitFor();
  const table = fixture.main().getByRole('table', { name: 'Specifications' });
  expect(await table.getByRole('row').allInnerTexts()).toEqual(['Standard\tDIN 1041']);
  await fixture.main().getByText('For a test.', { exact: true }).waitFor();
  expect(await findDisplayProblems(fixture.page, 'specifications', 'main')).toEqual([]);
  await fixture.page.getByRole('link', { name: /^Enlarge the picture/ }).click();
  await fixture.page.getByRole('dialog', { name: fixture.tool.name }).getByRole('button', { name: 'Close' }).click();
  await fixture.page.getByRole('dialog').waitFor({ state: 'detached' });
});
