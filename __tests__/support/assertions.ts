import axe from 'axe-core';
import type { Locator, Page } from 'playwright-core';
import { expectEventually, waitUntil } from './wait';

const DISPLAYS = [
  ['light', 360],
  ['light', 1280],
  ['dark', 1280],
  ['dark', 360],
] as const;

/** All axe rules about colors. The dark theme changes only colors, so it is checked with these rules alone. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

interface AuditOptions {
  rules?: string[];
  within?: string;
}

const RENDER_ALL_AT_ONCE = '* { content-visibility: visible !important; transition: none !important; }';
const HIDE_BEHIND_DIALOG = 'body * { visibility: hidden } dialog[open], dialog[open] * { visibility: visible }';

/**
 * Renders content below the fold, and turns transitions off: during one, axe reads the old colors. Hides what is behind a
 * dialog, because axe does not know that a modal dialog is above everything.
 */
const prepareForAxe = (page: Page, within: string) =>
  page.evaluate(
    (style) => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(style);
      document.adoptedStyleSheets = [sheet];
    },
    within.startsWith('dialog') ? `${RENDER_ALL_AT_ONCE} ${HIDE_BEHIND_DIALOG}` : RENDER_ALL_AT_ONCE,
  );

/** Checks the page without its frames, which belong to the provider. Passes stay in the browser: they are long. */
export async function accessibilityViolations(page: Page, { rules, within = 'html' }: AuditOptions = {}) {
  await prepareForAxe(page, within);
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  const { violations, checkedRules } = await page.evaluate(
    async ([include, runOnly]) => {
      const { run } = (window as unknown as { axe: typeof axe }).axe;
      const result = await run({ include, exclude: 'iframe' }, { ...(runOnly && { runOnly }) });
      const violations = result.violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)]);
      return { violations, checkedRules: [...result.violations, ...result.passes].map(({ id }) => id) };
    },
    [within, rules] as const,
  );
  if (within !== 'html') await prepareForAxe(page, 'html');
  if (!checkedRules.includes('color-contrast')) throw new Error('axe found no text to check.');
  return violations;
}

/** @returns by how many pixels the page is wider than its window */
export const horizontalOverflow = (page: Page) =>
  page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth));

export async function setDisplay(page: Page, colorScheme: 'light' | 'dark', width: number): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await page.setViewportSize({ width, height: 800 });
}

/** Collects accessibility violations and overflow, at phone and desktop widths, in the light and the dark theme. */
export async function problemsOnAnyDisplay(page: Page, state: string, within = 'html'): Promise<unknown[]> {
  const problems: unknown[] = [];
  for (const [scheme, width] of DISPLAYS) {
    await setDisplay(page, scheme, width);
    const violations = await accessibilityViolations(page, {
      within,
      ...(scheme === 'dark' && { rules: COLOR_RULES }),
    });
    const overflow = await horizontalOverflow(page);
    if (violations.length > 0 || overflow > 0) problems.push([state, scheme, width, violations, overflow]);
  }
  return problems;
}

/** Waits for an error toast. It is an `alert`, which screen readers announce at once. */
export const expectErrorToast = (page: Page, text: string) =>
  page.getByRole('alert').getByText(text, { exact: true }).last().waitFor();

export const expectSuccessToast = (page: Page, text: string) =>
  page.getByRole('status').getByText(text, { exact: true }).last().waitFor();

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
export async function expectToastDuration(toast: Locator, milliseconds: number): Promise<void> {
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
