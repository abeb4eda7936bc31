import { readFileSync } from 'node:fs';
import axe from 'axe-core';
import type { Page } from 'playwright-core';

/**
 * The rules that a display setting can break. A dark theme and forced colors change only colors, and text spacing
 * changes only the layout. The rules about contrast are in both lists as a control: they can pass only if the engine
 * found text on the page.
 */
const RULES = {
  colors: { axe: ['color-contrast', 'link-in-text-block'], ibm: ['text_contrast_sufficient'] },
  layout: {
    axe: ['color-contrast', 'target-size', 'scrollable-region-focusable'],
    ibm: ['text_contrast_sufficient', 'target_spacing_sufficient', 'element_scrollable_tabbable'],
  },
};

/**
 * Rules of IBM's engine that contradict the standards that they check:
 * - input_autocomplete_valid does not know that HTML allows `username` on an email field. axe checks the same values.
 * - element_tabbable_role_valid reports toasts. They take the focus with Alt+T, so that people need not hurry to read them.
 * - label_content_exists, table_caption_empty and table_headers_exists do not read what is visually hidden, such as the
 *   header of a table that is shown as cards. Chromium's accessibility tree has all of it.
 * - label_ref_valid reports the label of the card field. As Stripe documents it, this label names the container of the
 *   field's frame, and a click on it moves the focus into the frame.
 */
const WRONG_RULES = [
  'element_tabbable_role_valid',
  'input_autocomplete_valid',
  'label_content_exists',
  'label_ref_valid',
  'table_caption_empty',
  'table_headers_exists',
];

interface EngineOptions {
  /** The rules to check. By default, all except `WRONG_RULES`. */
  rules?: keyof typeof RULES;
  /** A CSS selector. By default, the whole page is checked. */
  within?: string;
}

interface IbmResult {
  ruleId: string;
  value: [string, 'PASS' | 'FAIL' | 'POTENTIAL' | 'MANUAL'];
  snippet: string;
}
interface IbmGuideline {
  id: string;
  checkpoints: { rules?: { id: string }[] }[];
}
interface IbmChecker {
  getGuidelines(): IbmGuideline[];
  addGuideline(guideline: IbmGuideline): void;
  check(root: Node, guidelines: string[]): Promise<{ results: IbmResult[] }>;
}

/** The engine of IBM's Equal Access Accessibility Checker, which has its own rules and its own contrast calculation. */
const ibmSource = readFileSync(require.resolve('accessibility-checker-engine/ace-window.js'), 'utf8');

/** Loads an engine of half a megabyte, unless the page already has it. */
async function loadEngine(page: Page, name: 'axe' | 'ace', source: string): Promise<void> {
  if (!(await page.evaluate((key) => key in window, name))) await page.evaluate(source);
}

/**
 * Skips frames, because they belong to the payment provider.
 * @returns the id of each violated rule, with the HTML of the elements that violate it
 */
export async function runAxe(page: Page, { rules, within = 'html' }: EngineOptions) {
  await loadEngine(page, 'axe', axe.source);
  const { violations, checkedRules } = await page.evaluate(
    async ([include, runOnly]) => {
      const { run } = (window as unknown as { axe: typeof axe }).axe;
      const options = { resultTypes: ['violations' as const], ...(runOnly && { runOnly }) };
      const result = await run({ include, exclude: 'iframe' }, options);
      const violations = result.violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)]);
      return { violations, checkedRules: [...result.violations, ...result.passes].map(({ id }) => id) };
    },
    [within, rules && RULES[rules].axe] as const,
  );
  if (!checkedRules.includes('color-contrast')) throw new Error('axe found no text to check.');
  return violations;
}

/**
 * @returns only failures: the id of each violated rule, with the HTML of the element that violates it
 */
export async function runIbm(page: Page, { rules, within = 'html' }: EngineOptions) {
  await loadEngine(page, 'ace', ibmSource);
  const { failures, checkedRules } = await page.evaluate(
    async ([within, runOnly, wrongRules]) => {
      const checker = new (window as unknown as { ace: { Checker: new () => IbmChecker } }).ace.Checker();
      const wcag = checker.getGuidelines().find(({ id }) => id === 'WCAG_2_2')!;
      const isWanted = ({ id }: { id: string }) => (runOnly ? runOnly.includes(id) : !wrongRules.includes(id));
      const checkpoints = wcag.checkpoints.map((point) => ({ ...point, rules: point.rules?.filter(isWanted) ?? [] }));
      checker.addGuideline({ ...wcag, id: 'chosen', checkpoints });
      const { results } = await checker.check(document.querySelector(within)!, ['chosen']);
      const failures = results.filter(({ value, snippet }) => value[1] === 'FAIL' && !snippet.startsWith('<iframe'));
      return {
        failures: failures.map(({ ruleId, snippet }) => [ruleId, snippet]),
        checkedRules: results.map(({ ruleId }) => ruleId),
      };
    },
    [within, rules && RULES[rules].ibm, WRONG_RULES] as const,
  );
  if (!checkedRules.includes('text_contrast_sufficient')) throw new Error("IBM's engine found no text to check.");
  return failures;
}

/**
 * Works around https://github.com/dequelabs/axe-core/issues/3978: axe reads the text color from
 * `-webkit-text-fill-color`, whose computed value ignores forced colors. Sets this property to the forced color, which
 * Chromium paints anyway, or removes it again.
 */
export const copyForcedColors = (page: Page, isForced: boolean) =>
  page.evaluate((isForced) => {
    const elements = [...document.body.querySelectorAll<HTMLElement | SVGElement>('*')];
    const colors = elements.map((element) => (isForced ? getComputedStyle(element).color : ''));
    elements.forEach(({ style }, i) => style.setProperty('-webkit-text-fill-color', colors[i]!));
  }, isForced);
