import { look, problemsInAnyLook } from '../../support/assertions';
import { browserFixture } from '../../support/browser';
import { DASHBOARD_PATHS, signInAsDemoUser } from '../../support/session';

const fixture = browserFixture();

const main = () => fixture.page.getByRole('main');
const found: unknown[] = [];
const check = async (state: string) => void found.push(...(await problemsInAnyLook(fixture.page, state)));

/** The errors of a form stand beside all that it had before. */
async function withErrors(path: string) {
  await main().locator('form button[type=submit]:enabled').click();
  await main().locator('form [role=alert]').first().waitFor();
  await check(`${path} with errors`);
}

async function asked(path: string) {
  await check(path);
  await main().getByRole('button', { name: 'Remove User' }).first().click();
  await main()
    .getByRole('button', { name: /^Make Admin/ })
    .first()
    .click();
  await fixture.page.getByRole('dialog').waitFor();
  await check(`${path} asking`);
}

/** Every room, and how it is looked at. */
const VISITS = [
  ['customer', '/dashboard', withErrors],
  ['customer', '/dashboard/myorder', check],
  ['customer', '/dashboard/addreview', withErrors],
  ['admin', '/dashboard/allusers', asked],
  ['admin', '/dashboard/addproduct', withErrors],
  ['admin', '/dashboard/manageallorders', check],
] as const;

test.each(VISITS)('of a %s: %s: in every look axe finds nothing, and nothing is too wide', async (who, path, look) => {
  found.length = 0;
  await signInAsDemoUser(fixture.page, who);
  await fixture.page.goto(path);
  await fixture.page.getByRole('heading', { level: 1 }).waitFor();
  await main().getByText('Loading').waitFor({ state: 'detached' });
  await look(path);
  expect(found).toEqual([]);
});

test('no room of the dashboard is left out', () => {
  const looked = VISITS.map(([, path]) => path);
  expect(new Set(looked)).toEqual(new Set(Object.values(DASHBOARD_PATHS).flat()));
});

test('on a phone every control of a form is large enough for a finger', async () => {
  await signInAsDemoUser(fixture.page, 'customer');
  await look(fixture.page, 'light', 360);
  for (const path of ['/dashboard', '/dashboard/addreview']) {
    await fixture.page.goto(path);
    await fixture.page.locator('main form').waitFor();
    const small = await fixture.page
      .locator('main form')
      .locator('input, textarea, button, label:has(input)')
      .evaluateAll((all) =>
        all.filter((one) => one.getBoundingClientRect().height < 44).map(({ outerHTML }) => outerHTML),
      );
    expect(small).toEqual([]);
  }
});
