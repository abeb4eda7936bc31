import AxeBuilder from '@axe-core/playwright';
import type { Page } from 'playwright-core';

const LOOKS = [
  ['light', 360],
  ['light', 1280],
  ['dark', 1280],
  ['dark', 360],
] as const;

/** All that axe asks of colours; a theme changes nothing else. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

interface Asked {
  rules?: string[];
  within?: string;
}

/** What lies far below keeps the colours that it last had in sight: axe would take those for today's. */
const drawAll = (page: Page) =>
  page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('* { content-visibility: visible !important; }');
    document.adoptedStyleSheets = [sheet];
  });

/** In one document: frames are the provider's. */
export async function breaches(page: Page, { rules, within = 'html' }: Asked = {}) {
  await drawAll(page);
  const axe = new AxeBuilder({ page }).setLegacyMode().include(within).exclude('iframe');
  const { violations, passes } = await (rules ? axe.withRules(rules) : axe).analyze();
  if (violations.length + passes.length === 0) throw new Error('axe found nothing to look at.');
  return violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)]);
}

/** How far the page is wider than its window, in pixels. */
export const overflow = (page: Page) =>
  page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth));

export async function look(page: Page, colorScheme: 'light' | 'dark', width: number): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await page.setViewportSize({ width, height: 800 });
}

/** What is wrong with a page as it stands, on a phone and on a desk, in light and in dark. */
export async function wrongInSomeLook(page: Page, state: string): Promise<unknown[]> {
  const found: unknown[] = [];
  for (const [scheme, width] of LOOKS) {
    await look(page, scheme, width);
    const wrong = await breaches(page, scheme === 'dark' ? { rules: COLOUR_RULES } : {});
    const wide = await overflow(page);
    if (wrong.length > 0 || wide > 0) found.push([state, scheme, width, wrong, wide]);
  }
  return found;
}
