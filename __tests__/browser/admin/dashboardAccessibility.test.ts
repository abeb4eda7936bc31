import { dashboardPages } from '../../../src/app/routes';
import { setDisplay, findDisplayProblems, findTreeProblems } from '../../support/assertions';
import { browserFixture } from '../../support/browser';
import { signInAsDemoUser } from '../../support/session';

const fixture = browserFixture();

const main = () => fixture.page.getByRole('main');
const problems: unknown[] = [];
const check = async (state: string) => void problems.push(...(await findDisplayProblems(fixture.page, state)));

async function checkWithErrors(path: string) {
  for (const submit of await main().locator('form button[type=submit]:enabled').all()) await submit.click();
  await main().locator('form [role=alert]').first().waitFor();
  await check(`${path} with errors`);
}

async function checkUsers() {
  await main().getByRole('button', { name: 'Remove User' }).first().click();
  await main()
    .getByRole('button', { name: /^Make Admin/ })
    .first()
    .click();
  await fixture.page.getByRole('dialog').waitFor();
  await check('/dashboard/allusers with its dialog');
}

const CHECKS: Record<string, (path: string) => Promise<void>> = {
  '': checkWithErrors,
  addreview: checkWithErrors,
  allusers: checkUsers,
  addproduct: checkWithErrors,
};

/** Each page with the user who opens it and the function that checks it. The page of a payment needs an order. */
const VISITS = dashboardPages
  .filter(({ path }) => !path.includes(':'))
  .map(({ path, access }) => ({
    role: access === 'admin' ? ('admin' as const) : ('customer' as const),
    path: path ? `/dashboard/${path}` : '/dashboard',
    checkPage: CHECKS[path] ?? check,
  }));

test.each(VISITS)(
  'for the role $role, the page $path has landmarks, one title and named controls, is accessible and fits every display',
  async ({ role, path, checkPage }) => {
    problems.length = 0;
    await signInAsDemoUser(fixture.page, role);
    await fixture.page.goto(path);
    await fixture.page.getByRole('heading', { level: 1 }).waitFor();
    await main().getByText('Loading').waitFor({ state: 'detached' });
    problems.push(...(await findTreeProblems(fixture.page)));
    await checkPage(path);
    expect(problems).toEqual([]);
  },
);

test('on a phone every control of the profile and review forms is at least 44 pixels high', async () => {
  await signInAsDemoUser(fixture.page, 'customer');
  await setDisplay(fixture.page, 'light', 360);
  for (const path of ['/dashboard', '/dashboard/addreview']) {
    await fixture.page.goto(path);
    await fixture.page.locator('main form').first().waitFor();
    const tooSmall = await fixture.page
      .locator('main form')
      .locator('input:not([hidden]), textarea, button, label:has(input)')
      .evaluateAll((controls) =>
        controls.filter((control) => control.getBoundingClientRect().height < 44).map(({ outerHTML }) => outerHTML),
      );
    expect(tooSmall).toEqual([]);
  }
});
