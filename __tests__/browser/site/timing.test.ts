import type { Locator } from 'playwright-core';
import { SPEC_MESSAGES } from '../../../src/contract/specMessages';
import { browserFixture, fill } from '../../support/browser';
import { signInAsNewUser } from '../../support/session';
import { expectEventually, waitUntil } from '../../support/wait';

const fixture = browserFixture();

/**
 * Pauses or finishes the animation that closes a toast.
 * @returns false if the toast has no such animation
 */
const controlToastTimer = (toast: Locator, milliseconds: number, action: 'pause' | 'finish') =>
  toast.evaluate(
    (element, [duration, method]) => {
      const container = element.closest('.Toastify__toast') ?? element;
      const timer = container
        .getAnimations({ subtree: true })
        .find(({ effect, playState }) => effect!.getTiming().duration === duration && playState !== 'idle');
      timer?.[method]();
      return timer !== undefined;
    },
    [milliseconds, action] as const,
  );

/** Expects a toast at the top right that closes after this time. */
async function expectToastDuration(toast: Locator, milliseconds: number): Promise<void> {
  await toast.waitFor();
  await waitUntil(() => controlToastTimer(toast, milliseconds, 'pause'));
  const { width } = toast.page().viewportSize()!;
  const position = async () => {
    const box = (await toast.boundingBox())!;
    return [box.x > width / 2, width - box.x - box.width < 60, box.y < 120];
  };
  await expectEventually(position, [true, true, true]);
  await controlToastTimer(toast, milliseconds, 'finish');
  await toast.waitFor({ state: 'detached' });
}

// Clauses A.2.11, A.9.2
test('a toast appears at the top right and closes after five seconds', async () => {
  const { page } = fixture;
  await page.setViewportSize({ width: 1280, height: 800 });
  await signInAsNewUser(page);
  await page.goto('/dashboard');
  await fill(page, { Address: 'a', Phone: '555 0100', LinkedIn: 'a.example' });
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expectToastDuration(page.getByRole('status').filter({ hasText: SPEC_MESSAGES.profileSaved }), 5000);
});

/** Opens the home page, records every change of its counters in `window.values`, and scrolls to them. */
async function watchCounters() {
  const { page } = fixture;
  await page.goto('/', { waitUntil: 'networkidle' });
  const band = page.locator('section[aria-label="Forgeline in numbers"]');
  await band.evaluate((element) => {
    const read = () => [...element.querySelectorAll('dd')].map(({ textContent }) => parseInt(textContent, 10));
    const values: number[][] = [];
    Object.assign(window, { values });
    new MutationObserver(() => values.push(read())).observe(element, {
      characterData: true,
      childList: true,
      subtree: true,
    });
  });
  await band.scrollIntoViewIfNeeded();
  return band;
}

// Clauses A.2.12, A.9.4
test('the statistics count up to 80, 110, 150 and 59 when they are scrolled into view', async () => {
  const { page } = fixture;
  const band = await watchCounters();
  await page.waitForFunction(() => (window as unknown as { values: number[][] }).values.some(([first]) => first! < 80));
  await page.waitForFunction(() => {
    const { values } = window as unknown as { values: number[][] };
    return values.at(-1)!.join() === '80,110,150,59';
  });
  const labels = await band.locator('dl > div').allInnerTexts();
  expect(labels.map((text) => text.replace(/\s+/g, ' ').toLowerCase())).toEqual([
    'total tools 80+',
    'annual revenue 110m+',
    'clients 150+',
    'reviews 59k+',
  ]);
});

test('the statistics do not count up for people who prefer reduced motion', async () => {
  const { page } = fixture;
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const band = await watchCounters();
  await band.evaluate((element) => {
    const isInView = (entries: IntersectionObserverEntry[]) => entries.some(({ isIntersecting }) => isIntersecting);
    // Scrolls again, because content that loads above the counters may move them out of view.
    return new Promise<void>((resolve) =>
      new IntersectionObserver((entries) => (isInView(entries) ? resolve() : element.scrollIntoView())).observe(
        element,
      ),
    );
  });
  await page.waitForTimeout(1000);
  expect(await page.evaluate(() => (window as unknown as { values: number[][] }).values)).toEqual([]);
  expect(await band.locator('dd').allTextContents()).toEqual(['80+', '110M+', '150+', '59K+']);
});
