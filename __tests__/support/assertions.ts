import type { Page } from 'playwright-core';
import { copyForcedColors, runAxe, runIbm } from './accessibility/engines';
import { findClippedText, TEXT_SPACING } from './accessibility/textSpacing';

type EngineOptions = Parameters<typeof runAxe>[1];

interface Display {
  name: string;
  colorScheme?: 'light' | 'dark';
  forcedColors?: 'active';
  width: 320 | 1280;
  rules?: EngineOptions['rules'];
  hasTextSpacing?: boolean;
}

/** Whether `npm run verify -- displays` runs the tests, with both engines and on all displays. */
const CHECKS_ALL_DISPLAYS = process.env['ALL_DISPLAYS'] === 'true';

const ALL_DISPLAYS: Display[] = [
  { name: 'light', width: 1280 },
  { name: 'dark', width: 1280, colorScheme: 'dark', rules: 'colors' },
  { name: 'forced colors', width: 1280, forcedColors: 'active', rules: 'colors' },
  { name: '320 pixels', width: 320 },
  { name: '320 pixels, dark', width: 320, colorScheme: 'dark', rules: 'colors' },
  { name: '320 pixels with text spacing', width: 320, hasTextSpacing: true, rules: 'layout' },
];
/** One scan with all rules, and one with those that a narrow display can break. */
const QUICK_DISPLAYS: Display[] = [
  { name: 'light', width: 1280 },
  { name: '320 pixels', width: 320, rules: 'layout' },
];
const DISPLAYS = CHECKS_ALL_DISPLAYS ? ALL_DISPLAYS : QUICK_DISPLAYS;

const RENDER_ALL_AT_ONCE = '* { content-visibility: visible !important; transition: none !important; }';
const HIDE_BEHIND_DIALOG = 'body * { visibility: hidden } dialog[open], dialog[open] * { visibility: visible }';

const adoptStyle = (page: Page, style: string) =>
  page.evaluate((text) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    document.adoptedStyleSheets = [sheet];
  }, style);

/**
 * Checks a page with axe, and with IBM's engine if all displays are checked. Before that, renders the content below the fold, and turns off
 * transitions, because an engine could read a color in the middle of a transition. If `within` is a modal dialog,
 * hides the content behind it from axe, which does not know that the dialog covers it.
 */
export async function findAccessibilityViolations(
  page: Page,
  options: EngineOptions = {},
  style = '',
): Promise<string[][]> {
  const isDialog = options.within?.startsWith('dialog');
  await adoptStyle(page, `${RENDER_ALL_AT_ONCE} ${style} ${isDialog ? HIDE_BEHIND_DIALOG : ''}`);
  const found = await runAxe(page, options);
  await adoptStyle(page, `${RENDER_ALL_AT_ONCE} ${style}`);
  return CHECKS_ALL_DISPLAYS ? [...found, ...(await runIbm(page, options))] : found;
}

export const measureHorizontalOverflow = (page: Page) =>
  page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth));

/** TypeScript's DOM library has no such type. */
interface LayoutShift extends PerformanceEntry {
  value: number;
  hadRecentInput: boolean;
}

/** @returns what the page's elements have moved by. Headings move by up to 0.0015 when their font arrives late. */
export const measureLayoutShift = (page: Page) =>
  page.evaluate(() => {
    const observer = new PerformanceObserver(() => undefined);
    observer.observe({ type: 'layout-shift', buffered: true });
    const shifts = observer.takeRecords() as LayoutShift[];
    observer.disconnect();
    return shifts.filter(({ hadRecentInput }) => !hadRecentInput).reduce((sum, { value }) => sum + value, 0);
  });

export async function setDisplay(page: Page, colorScheme: 'light' | 'dark', width: number): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce', forcedColors: 'none' });
  await page.setViewportSize({ width, height: 800 });
}

/** A window of 1280 by 1024 pixels at a zoom of 400 % has 320 by 256 CSS pixels. */
const ZOOMED = { width: 320, height: 256 };

async function findProblemsOnDisplay(page: Page, display: Display, within: string): Promise<unknown[]> {
  const { colorScheme = 'light', width, forcedColors, hasTextSpacing, rules } = display;
  await setDisplay(page, colorScheme, width);
  if (width === 320) await page.setViewportSize(ZOOMED);
  if (forcedColors) await page.emulateMedia({ forcedColors });
  if (forcedColors) await copyForcedColors(page, true);
  const style = hasTextSpacing ? TEXT_SPACING : '';
  const violations = await findAccessibilityViolations(page, { within, ...(rules && { rules }) }, style);
  const overflow = await measureHorizontalOverflow(page);
  const clipped = hasTextSpacing ? await findClippedText(page, within) : [];
  if (forcedColors) await copyForcedColors(page, false);
  await adoptStyle(page, RENDER_ALL_AT_ONCE);
  return [...violations, ...clipped, ...(overflow > 0 ? [`too wide by ${overflow} pixels`] : [])];
}

/** Collects what the accessibility engines find, cut-off text and overflow on each of the `DISPLAYS`. */
export async function findDisplayProblems(page: Page, state: string, within = 'html'): Promise<unknown[]> {
  const problems: unknown[] = [];
  for (const display of DISPLAYS) {
    const found = await findProblemsOnDisplay(page, display, within);
    if (found.length > 0) problems.push([state, display.name, ...found]);
  }
  return problems;
}

const LANDMARKS = ['- banner', '- navigation "Main"', '- main', '- contentinfo', '- navigation "FAQ"'];
const NEEDS_NAME = /^\s*- (button|link|textbox|searchbox|spinbutton|radio|navigation|form|table|dialog|region)\b(?! ")/;

/** Finds missing landmarks, elements without a name, and more or fewer than one h1 and one `main`. */
export async function findTreeProblems(page: Page): Promise<string[]> {
  const lines = (await page.locator('body').ariaSnapshot()).replaceAll(`- '`, '- ').split('\n');
  const missing = LANDMARKS.filter((landmark) => !lines.some((line) => line.trim().startsWith(landmark)));
  const nameless = lines.filter((line) => NEEDS_NAME.test(line));
  const titles = lines.filter((line) => line.includes('[level=1]')).length;
  const mains = lines.filter((line) => /^\s*- main/.test(line)).length;
  return [
    ...missing,
    ...nameless,
    ...(titles + mains === 2 ? [] : [`${titles} h1 and ${mains} main instead of one each`]),
  ];
}

/** Waits for a toast. An error is an `alert`, which screen readers announce at once. */
export const waitForToast = (page: Page, text: string, role: 'status' | 'alert' = 'status') =>
  page.getByRole(role).getByText(text, { exact: true }).last().waitFor();
