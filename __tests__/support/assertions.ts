import axe from 'axe-core';
import type { Locator, Page } from 'playwright-core';
import { expectEventually, waitUntil } from './wait';

const LOOKS = [
  ['light', 360],
  ['light', 1280],
  ['dark', 1280],
  ['dark', 360],
] as const;

/** All rules of axe about colors: a theme changes nothing else. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

interface Asked {
  rules?: string[];
  within?: string;
}

/** Renders what is far below too, and ends transitions: axe would read colors of before. */
const drawAll = (page: Page) =>
  page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('* { content-visibility: visible !important; transition: none !important; }');
    document.adoptedStyleSheets = [sheet];
  });

/** Checks one document: frames belong to the provider. Only violations leave the page: passes are long. */
export async function accessibilityViolations(page: Page, { rules, within = 'html' }: Asked = {}) {
  await drawAll(page);
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  const { wrong, looked } = await page.evaluate(
    async ([include, runOnly]) => {
      const { run } = (window as unknown as { axe: typeof axe }).axe;
      const { violations, passes } = await run({ include, exclude: 'iframe' }, { ...(runOnly && { runOnly }) });
      const wrong = violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)]);
      return { wrong, looked: [...violations, ...passes].map(({ id }) => id) };
    },
    [within, rules] as const,
  );
  if (!looked.includes('color-contrast')) throw new Error('axe found no words to look at.');
  return wrong;
}

/** How far the page is wider than its window, in pixels. */
export const overflow = (page: Page) =>
  page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth));

export async function look(page: Page, colorScheme: 'light' | 'dark', width: number): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await page.setViewportSize({ width, height: 800 });
}

/** Accessibility violations and overflow of a page, on a phone and a desktop, in light and in dark. */
export async function problemsInAnyLook(page: Page, state: string): Promise<unknown[]> {
  const found: unknown[] = [];
  for (const [scheme, width] of LOOKS) {
    await look(page, scheme, width);
    const wrong = await accessibilityViolations(page, scheme === 'dark' ? { rules: COLOUR_RULES } : {});
    const wide = await overflow(page);
    if (wrong.length > 0 || wide > 0) found.push([state, scheme, width, wrong, wide]);
  }
  return found;
}

/** Waits for an error toast: screen readers announce it at once. */
export const expectErrorToast = (page: Page, text: string) =>
  page.getByRole('alert').getByText(text, { exact: true }).last().waitFor();

/** Waits for a success toast. */
export const expectSuccessToast = (page: Page, text: string) =>
  page.getByRole('status').getByText(text, { exact: true }).last().waitFor();

/**
 * An animation closes a toast: pauses it, or finishes it.
 * @returns false when the toast has none
 */
const clockOf = (toast: Locator, milliseconds: number, act: 'pause' | 'finish') =>
  toast.evaluate(
    (element, [lasts, turn]) => {
      const shown = element.closest('.Toastify__toast') ?? element;
      const runs = shown.getAnimations({ subtree: true });
      const clock = runs.find(
        ({ effect, playState }) => effect!.getTiming().duration === lasts && playState !== 'idle',
      );
      clock?.[turn]();
      return clock !== undefined;
    },
    [milliseconds, act] as const,
  );

/** A toast is shown at the top right for this long, and then closes. */
export async function expectToastFor(toast: Locator, milliseconds: number): Promise<void> {
  await toast.waitFor();
  await waitUntil(() => clockOf(toast, milliseconds, 'pause'));
  const { width } = toast.page().viewportSize()!;
  const place = async () => {
    const box = (await toast.boundingBox())!;
    return [box.x > width / 2, width - box.x - box.width < 60, box.y < 120];
  };
  await expectEventually(place, [true, true, true]);
  await clockOf(toast, milliseconds, 'finish');
  await toast.waitFor({ state: 'detached' });
}
