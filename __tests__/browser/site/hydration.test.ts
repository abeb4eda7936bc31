import { browserFixture, holdRequests } from '../../support/browser';
import { waitForPath, waitUntilSignedOut, signInAsNewUser, waitUntilInteractive } from '../../support/session';
import { expectEventually, waitUntil } from '../../support/wait';

const fixture = browserFixture();

// Clause C.12.1
test.each(['/', '/login'])(
  'the HTML of %s remains visible while its scripts load, and contains all styles that hydration needs',
  async (path) => {
    const { page, visitor } = fixture;
    await visitor.context.addInitScript(() => {
      const removed: string[] = [];
      let hasHeading = false;
      const added: string[] = [];
      Object.assign(window, { removed, added });
      const insert = CSSStyleSheet.prototype.insertRule;
      CSSStyleSheet.prototype.insertRule = function (rule, index) {
        added.push(rule);
        return insert.call(this, rule, index);
      };
      new MutationObserver(() => {
        const main = document.querySelector('main');
        if (main?.querySelector('h1')) hasHeading = true;
        else if (hasHeading) removed.push(main?.textContent ?? 'main');
        if (document.querySelector('script[src*="/main."]') && !document.querySelector('footer'))
          removed.push('footer');
      }).observe(document, { childList: true, subtree: true });
    });
    const mainScript = /\/main\.[0-9a-f]+\.js$/;
    await page.route(/\/assets\/(?!main\.)[^/]+\.js$/, async (route) => {
      await page.waitForTimeout(700);
      await route.continue();
    });
    const mainLoaded = page.waitForResponse((response) => mainScript.test(response.url()));
    const html = await (await page.goto(path))!.text();
    await mainLoaded;
    await page.waitForLoadState('networkidle');
    await waitUntilSignedOut(page);
    await waitUntilInteractive(page);
    await page.unrouteAll({ behavior: 'wait' });
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
    const { removed, added } = await page.evaluate(() => {
      const { removed, added } = window as unknown as { removed: string[]; added: string[] };
      return { removed, added };
    });
    expect(removed).toEqual([]);
    expect(added.length).toBeGreaterThan(0);
    expect(added.filter((rule) => !html.includes(rule) || rule.includes('@font-face'))).toEqual([]);
  },
);

test('navigating between pages adds no media queries or other grouped style rules, which would restyle the whole page', async () => {
  const { page } = fixture;
  const readGroupedRules = () =>
    page.evaluate(() =>
      [...document.querySelectorAll<HTMLStyleElement>('style[data-styled]')]
        .flatMap(({ sheet }) => [...sheet!.cssRules])
        .filter((rule) => !(rule instanceof CSSStyleRule))
        .map(({ cssText }) => cssText),
    );
  await page.goto('/');
  await waitUntilInteractive(page);
  for (const [name, title] of [
    ['Blogs', 'BLOG POSTS'],
    ['About', 'One factory, from bar steel to crate'],
    ['Login', 'Login'],
    ['Home', 'Forgeline: hand and power tools by the crate'],
  ] as const) {
    await page.getByRole('banner').getByRole('link', { name, exact: true }).click();
    await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor({ state: 'attached' });
    if (name === 'Home') await page.locator('.swiper-initialized').waitFor();
    expect(await readGroupedRules()).toEqual([]);
  }
});

// Clause C.11.8
test('until it is known who visits, the navbar keeps the place of Login but does not show it', async () => {
  const { page } = fixture;
  await page.setViewportSize({ width: 1280, height: 800 });
  const { release } = await holdRequests(page, '**/assets/main.*.js', 'GET');
  await page.goto('/blogs');
  const login = page.getByRole('banner').locator('a[href="/login"]');
  const place = await login.boundingBox();
  expect([await login.isVisible(), place!.width > 40]).toEqual([false, true]);
  release();
  await login.waitFor({ state: 'visible' });
  expect(await login.boundingBox()).toEqual(place);
});

test.each([
  ['home', '/about', 'header a[href="/"]', '[aria-roledescription=carousel]', '#tools li'],
  ['purchase', '/', '#tools a[href^="/purchase/"]', 'main h1 + div dl', 'main form'],
])('following a link to the %s page renders the top of the page first', async (_page, from, link, top, rest) => {
  const { page } = fixture;
  await signInAsNewUser(page);
  await page.goto(from);
  await waitUntilInteractive(page);
  await page.evaluate(
    ([topSelector, restSelector]) => {
      new MutationObserver((_changes, observer) => {
        if (!document.querySelector(topSelector!)) return;
        observer.disconnect();
        document.body.dataset.hadRest = String(document.querySelector(restSelector!) !== null);
      }).observe(document.body, { childList: true, subtree: true });
    },
    [top, rest],
  );
  await page.locator(link).first().hover();
  await page.waitForLoadState('networkidle');
  await page.locator(link).first().click();
  await page.locator(rest).first().waitFor();
  expect(await page.locator('body').getAttribute('data-had-rest')).toBe('false');
});

const themeButton = (theme: string) => fixture.page.getByRole('button', { name: `Switch to the ${theme} theme` });

test('a click on a button before the scripts have loaded takes effect once they have', async () => {
  const { page } = fixture;
  const { release } = await holdRequests(page, '**/assets/main.*.js', 'GET');
  await page.goto('/blogs', { waitUntil: 'commit' });
  await themeButton('dark').click();
  await themeButton('dark').waitFor();
  release();
  await themeButton('light').waitFor();
});

test('a click that was handled before hydration has no second effect after it', async () => {
  const { page } = fixture;
  await signInAsNewUser(page);
  const { release, countRequests } = await holdRequests(page, '**/assets/firebase.*.js', 'GET');
  await page.goto('/dashboard');
  await waitUntil(() => countRequests() > 0);
  await themeButton('dark').click();
  await themeButton('light').waitFor();
  release();
  await page.getByRole('heading', { level: 1, name: 'My Profile' }).waitFor();
  await waitUntilInteractive(page);
  await page.waitForLoadState('networkidle');
  expect(await themeButton('light').count()).toBe(1);
});

test('a choice in a list counts even if React hydrates the list between the two events of the choice', async () => {
  const { page } = fixture;
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('Emulation.setCPUThrottlingRate', { rate: 10 });
  await page.goto('/home');
  const list = page.getByLabel('Sort by');
  await page.waitForFunction(() =>
    Object.keys(document.querySelector('main select')!).some((key) => key.startsWith('__reactFiber')),
  );
  await list.selectOption('Price, low to high');
  await waitForPath(page, '/home?sort=price');
  await expectEventually(() => list.inputValue(), 'price');
});
