import type { Locator } from 'playwright-core';
import { IDENTITY_UNREACHABLE } from '../../../src/contract/appMessages';
import { SPEC_MESSAGES } from '../../../src/contract/specMessages';
import { browserFixture, fill, NETWORK_ERROR, pauseClock } from '../../support/browser';
import { payWithCard, placeOrder } from '../../support/checkout';
import { newEmail } from '../../support/customers';
import { logIn, signInAsNewUser, waitUntilInteractive } from '../../support/session';
import { CARDS } from '../../support/cards';
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

// Clause A.9.14
test('a login fails with a message after 30 seconds without a response from the identity provider', async () => {
  const { page, visitor } = fixture;
  await page.clock.install();
  await page.goto('/login');
  await waitUntilInteractive(page);
  await pauseClock(page);
  await page.route('**/accounts:signInWithPassword*', () => undefined);
  const sent = page.waitForRequest(/accounts:signInWithPassword/);
  await logIn(page, newEmail());
  await sent;
  await page.clock.fastForward(29_000);
  expect(await page.getByText(IDENTITY_UNREACHABLE).count()).toBe(0);
  await page.clock.fastForward(2_000);
  await page.clock.resume();
  await page.getByText(IDENTITY_UNREACHABLE).waitFor();
  visitor.allowedErrors.push(NETWORK_ERROR);
});

// Clauses A.3.4, A.4.11, A.7.11, A.7.18, C.8.8
test('a payment creates a payment method with billing name and email, confirms the intent and then updates the order', async () => {
  const { page } = fixture;
  const email = await signInAsNewUser(page);
  const order = await placeOrder(page);
  const sent: [string, string][] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (request.method() !== 'GET') sent.push([pathname, decodeURIComponent(request.postData() ?? '')]);
  });
  await page.goto(`/dashboard/payment/${order._id}`);
  await payWithCard(page, CARDS.pays);
  await page.getByText(SPEC_MESSAGES.paid, { exact: true }).waitFor();
  const steps = sent.filter(([path]) => /^\/(v1|order)\//.test(path));
  const intent = (await page.getByText(/^pi_\w+$/).textContent())!;
  expect(steps.map(([path]) => path)).toEqual([
    '/v1/payment_methods',
    `/v1/payment_intents/${intent}/confirm`,
    `/order/${order._id}`,
  ]);
  expect(steps[0]![1]).toContain(`billing_details[email]=${email}`);
  expect(steps[0]![1]).toMatch(/billing_details\[name\]=\w/);
  expect(JSON.parse(steps[2]![1])).toEqual({ order: order._id, transactionId: intent });
});
