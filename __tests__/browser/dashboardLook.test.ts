import { comeAs, ROOMS } from '../support/dashboard';
import { look, wrongInSomeLook } from '../support/look';
import { eachWithAVisitor } from '../support/stage';

const stage = eachWithAVisitor();

/** Each state that a room can be in, brought about as a person does. */
async function states(path: string, check: (state: string) => Promise<void>) {
  const { page } = stage;
  await page.goto(path);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.getByRole('main').getByText('Loading').waitFor({ state: 'detached' });
  await check(path);
  const submit = page.locator('main form button[type=submit]');
  if (await submit.count()) {
    await submit.click();
    await page.locator('main form [role=alert]').first().waitFor();
    await check(`${path} with errors`);
  }
  const promote = page.getByRole('button', { name: /^Make Admin/ });
  if (await promote.count()) {
    await page.getByRole('button', { name: 'Remove User' }).first().click();
    await promote.first().click();
    await page.getByRole('dialog').waitFor();
    await check(`${path} asking`);
  }
}

const VISITS = (['customer', 'admin'] as const).flatMap((who) => ROOMS[who].map((path) => [path, who] as const));

test.each(VISITS)('%s of a %s: in every look axe finds nothing, and nothing is too wide', async (path, who) => {
  await comeAs(stage.page, who);
  const found: unknown[] = [];
  await states(path, async (state) => void found.push(...(await wrongInSomeLook(stage.page, state))));
  expect(found).toEqual([]);
});

test('on a phone every control of a form is large enough for a finger', async () => {
  await comeAs(stage.page, 'customer');
  await look(stage.page, 'light', 360);
  for (const path of ['/dashboard', '/dashboard/addreview']) {
    await stage.page.goto(path);
    await stage.page.locator('main form').waitFor();
    const small = await stage.page
      .locator('main form')
      .locator('input, textarea, button, label:has(input)')
      .evaluateAll((all) =>
        all.filter((one) => one.getBoundingClientRect().height < 44).map(({ outerHTML }) => outerHTML),
      );
    expect(small).toEqual([]);
  }
});
