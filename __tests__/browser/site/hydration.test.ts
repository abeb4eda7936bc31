import { browserFixture, holdRequests } from '../../support/browser';
import { waitUntilSignedOut, signInAsNewUser, waitUntilInteractive } from '../../support/session';
import { waitUntil } from '../../support/wait';

const fixture = browserFixture();

// Clause C.12.1
test.each(['/', '/login', '/blogs'])('%s: what arrived as HTML stays while its script is on its way', async (path) => {
  const { page, visitor } = fixture;
  await visitor.context.addInitScript(() => {
    const gone: string[] = [];
    let there = false;
    Object.assign(window, { gone });
    new MutationObserver(() => {
      const main = document.querySelector('main');
      if (main?.querySelector('h1')) there = true;
      else if (there) gone.push(main?.textContent ?? 'all of it');
      if (document.querySelector('script[src*="/main."]') && !document.querySelector('footer')) gone.push('the footer');
    }).observe(document, { childList: true, subtree: true });
  });
  const mainScript = /\/main\.[0-9a-f]+\.js$/;
  await page.route(/\/assets\/(?!main\.)[^/]+\.js$/, async (route) => {
    await page.waitForTimeout(700);
    await route.continue();
  });
  const started = page.waitForResponse((response) => mainScript.test(response.url()));
  await page.goto(path);
  await started;
  await page.waitForLoadState('networkidle');
  await waitUntilSignedOut(page);
  await waitUntilInteractive(page);
  await page.unrouteAll({ behavior: 'wait' });
  expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
  const gone = await page.evaluate(() => (window as unknown as { gone: string[] }).gone);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  expect(gone).toEqual([]);
});

// Clause C.12.1
test.each(['/', '/login', '/blogs'])('%s: coming alive adds no style: all of it came with the HTML', async (path) => {
  const { page, visitor } = fixture;
  await visitor.context.addInitScript(() => {
    const added: string[] = [];
    Object.assign(window, { added });
    const insert = CSSStyleSheet.prototype.insertRule;
    CSSStyleSheet.prototype.insertRule = function (rule, index) {
      added.push(rule);
      return insert.call(this, rule, index);
    };
  });
  const html = await (await page.goto(path))!.text();
  await waitUntilSignedOut(page);
  await waitUntilInteractive(page);
  await page.waitForLoadState('networkidle');
  const added = await page.evaluate(() => (window as unknown as { added: string[] }).added);
  expect(added.length).toBeGreaterThan(0);
  expect(added.filter((rule) => !html.includes(rule))).toEqual([]);
  expect(added.filter((rule) => rule.includes('@font-face'))).toEqual([]);
});

test('a page that is gone to adds plain rules alone: any other makes the browser style the whole page again', async () => {
  const { page } = fixture;
  const grouped = () =>
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
    expect(await grouped()).toEqual([]);
  }
});

test.each([
  ['home', '/about', 'header a[href="/"]', '[aria-roledescription=carousel]', '#tools li'],
  ['a tool’s', '/', '#tools a[href^="/purchase/"]', 'main h1 + div dl', 'main form'],
])('of %s page after a link what one sees first is drawn first', async (_page, from, link, first, rest) => {
  const { page } = fixture;
  await signInAsNewUser(page);
  await page.goto(from);
  await waitUntilInteractive(page);
  await page.evaluate(
    ([early, late]) => {
      new MutationObserver((_changes, watch) => {
        if (!document.querySelector(early!)) return;
        watch.disconnect();
        document.body.dataset.whole = String(document.querySelector(late!) !== null);
      }).observe(document.body, { childList: true, subtree: true });
    },
    [first, rest],
  );
  await page.locator(link).first().hover();
  await page.waitForLoadState('networkidle');
  await page.locator(link).first().click();
  await page.locator(rest).first().waitFor();
  expect(await page.locator('body').getAttribute('data-whole')).toBe('false');
});

test('no script is asked for before the page has been drawn', async () => {
  const { page, visitor } = fixture;
  await visitor.context.addInitScript(() => {
    const { requestAnimationFrame } = window;
    const held: FrameRequestCallback[] = [];
    window.requestAnimationFrame = (call) => held.push(call);
    const letGo = () => {
      window.requestAnimationFrame = requestAnimationFrame;
      held.forEach((call) => requestAnimationFrame(call));
    };
    Object.assign(window, { letGo });
  });
  await page.goto('/blogs');
  const scripts = page.locator('head script[src*="/assets/"]');
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
  expect(await scripts.count()).toBe(0);
  await page.evaluate(() => (window as unknown as { letGo: () => void }).letGo());
  await waitUntilInteractive(page);
});

const colors = (now: string) => fixture.page.getByRole('button', { name: `Colors: ${now}. Change to` });

test('a press that comes before the scripts is kept', async () => {
  const { page } = fixture;
  const { release: letGo } = await holdRequests(page, '**/assets/main.*.js', 'GET');
  await page.goto('/blogs', { waitUntil: 'commit' });
  await colors('system').click();
  await colors('system').waitFor();
  letGo();
  await colors('light').waitFor();
});

test('a press that is answered before the page is alive counts once', async () => {
  const { page } = fixture;
  await signInAsNewUser(page);
  const { release: letGo, countRequests: asked } = await holdRequests(page, '**/assets/firebase.*.js', 'GET');
  await page.goto('/dashboard');
  await waitUntil(() => asked() > 0);
  await colors('system').click();
  await colors('light').waitFor();
  letGo();
  await page.getByRole('heading', { level: 1, name: 'My Profile' }).waitFor();
  await waitUntilInteractive(page);
  await page.waitForLoadState('networkidle');
  expect(await colors('light').count()).toBe(1);
});
