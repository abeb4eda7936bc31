import type { BrowserContext, Locator, Page } from 'playwright-core';

type Random = (below: number) => number;

export interface Visit {
  context: BrowserContext;
  page: Page;
  random: Random;
  /** Creates a text to type. No saved session may contain it. */
  newText: () => string;
}

/** A short timeout, because an element may disappear between being chosen and being used. */
const SHORT_TIMEOUT = { timeout: 1500 };
const LINKS = 'nav a[href^="/"]:visible, main a[href^="/"]:visible';
const BUTTONS = 'main button:enabled:visible, main summary:visible';
const FIELDS = 'main input:enabled:visible:not([readonly], [type=checkbox], [type=radio], [type=file])';

async function chooseFrom(elements: Locator, random: Random): Promise<Locator | undefined> {
  const count = await elements.count();
  return count === 0 ? undefined : elements.nth(random(count));
}

const clickOne = async ({ page, random }: Visit, selector: string) =>
  (await chooseFrom(page.locator(selector), random))?.click(SHORT_TIMEOUT);

async function typeInOne({ page, random, newText }: Visit) {
  const field = await chooseFrom(page.locator(FIELDS), random);
  const type = await field?.getAttribute('type', SHORT_TIMEOUT);
  if (type === 'number') return field!.fill(String(1 + random(900)), SHORT_TIMEOUT);
  return field?.fill(type === 'email' ? `${newText()}@mail.example` : newText(), SHORT_TIMEOUT);
}

async function clickOffline(visit: Visit) {
  await visit.context.setOffline(true);
  await clickOne(visit, visit.random(2) ? LINKS : BUTTONS).catch(() => undefined);
  await visit.page.waitForTimeout(visit.random(800));
  await visit.context.setOffline(false);
}

/** Opens the shop again if the tab shows a picture, the browser's error page or the file that the tab opened first. */
async function returnToShop(page: Page) {
  if ((await page.locator('#root').count()) === 0) await page.goto('/');
}

const PATHS = ['/', '/about', '/dashboard/myorder', '/dashboard', '/nowhere'];
async function visitInSecondTab({ context, random }: Visit) {
  const tab = await context.newPage();
  await tab.goto(PATHS[random(PATHS.length)]!, { waitUntil: 'load' });
  const signOut = tab.getByRole('navigation', { name: 'Main' }).getByRole('button', { name: 'Sign out' });
  if (random(4) === 0) await signOut.click(SHORT_TIMEOUT);
  await tab.close();
}

const ACTIONS: ((visit: Visit) => Promise<unknown>)[] = [
  ...Array<(visit: Visit) => Promise<unknown>>(5).fill((visit) => clickOne(visit, LINKS)),
  (visit) => clickOne(visit, BUTTONS),
  (visit) => clickOne(visit, BUTTONS),
  typeInOne,
  typeInOne,
  ({ page }) => page.goBack(SHORT_TIMEOUT),
  ({ page }) => page.goForward(SHORT_TIMEOUT),
  clickOffline,
  visitInSecondTab,
];

/** Performs random actions. Ignores failures, because an element may disappear before it is used. */
export async function performRandomActions(visit: Visit, count: number): Promise<void> {
  for (let action = 0; action < count; action++) {
    await ACTIONS[visit.random(ACTIONS.length)]!(visit).catch(() => undefined);
    await returnToShop(visit.page).catch(() => undefined);
    if (visit.random(3) > 0) await visit.page.waitForTimeout(700);
    await visit.page.keyboard.press('Escape');
  }
  // The last action may have opened a dialog whose chunk has loaded only now.
  await visit.page.waitForTimeout(700);
  await visit.page.keyboard.press('Escape');
}
