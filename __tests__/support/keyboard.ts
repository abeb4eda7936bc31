import type { Locator, Page } from 'playwright-core';
import { waitUntil } from './wait';

const MAX_TAB_STOPS = 90;

/**
 * Checks the focused element. Runs in the page. A toast may cover the main content for five seconds, but never the
 * navbar.
 * @returns what is wrong, or undefined if the element is visible and has a focus ring
 */
async function findFocusProblem(): Promise<string | undefined> {
  await new Promise(requestAnimationFrame);
  const focused = document.activeElement;
  if (!focused || focused === document.body) return 'nothing has focus';
  const html = focused.outerHTML.slice(0, 160);
  const box = focused.getBoundingClientRect();
  const [x, y] = [box.x + box.width / 2, box.y + Math.min(box.height / 2, 20)];
  const topmost = document.elementFromPoint(x, y);
  const labelOrFocused = focused.closest('label') ?? focused;
  const underToast = focused.closest('main') && topmost?.closest('section[aria-label^="Notifications"]');
  if (!underToast && !(labelOrFocused.contains(topmost) || topmost?.contains(labelOrFocused)))
    return `covered or outside the window: ${html}`;
  const hasRing = () => {
    for (let element: Element | null = focused, level = 0; element && level < 4; level += 1) {
      const { outlineStyle, outlineWidth } = getComputedStyle(element);
      if (outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2) return true;
      element = element.parentElement;
    }
    return false;
  };
  // The card field draws its ring only after a message from its frame.
  for (let frames = 0; frames < 60 && !hasRing(); frames += 1) await new Promise(requestAnimationFrame);
  return hasRing() ? undefined : `no focus ring: ${html}`;
}

const hasFocus = (element: Element) =>
  element.ownerDocument.hasFocus() && element === element.ownerDocument.activeElement;

/** Uses the page by keyboard only. Records each tab stop at which the focus is not visible. */
export function openKeyboard(page: Page) {
  const focusProblems: string[] = [];

  const { keyboard } = page;
  const type = (text: string) => keyboard.type(text);

  async function expectFocus(target: Locator): Promise<void> {
    await target.waitFor();
    await waitUntil(() => target.evaluate(hasFocus)).catch(() => {
      throw new Error(`The focus did not reach ${target.toString()}.`);
    });
  }

  async function tabTo(target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
    await target.waitFor();
    for (let stops = 0; stops < MAX_TAB_STOPS; stops += 1) {
      if (await target.evaluate(hasFocus)) return;
      await keyboard.press(key);
      const problem = await page.evaluate(findFocusProblem);
      if (problem && !focusProblems.includes(problem)) focusProblems.push(problem);
    }
    throw new Error(`${key} does not reach ${target.toString()}.`);
  }

  return {
    focusProblems,
    press: (key: string) => keyboard.press(key),
    type,
    tabTo,
    expectFocus,
    async activate(target: Locator, key = 'Enter') {
      await tabTo(target);
      await keyboard.press(key);
    },
    async typeInto(target: Locator, text: string) {
      await tabTo(target);
      await type(text);
    },
    /** Waits until a page with this heading is open and the focus is on the heading or on `main`. */
    async expectPage(title: string): Promise<void> {
      await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
      await expectFocus(page.locator('main:focus, h1:focus'));
    },
  };
}
