import type { Locator, Page } from 'playwright-core';
import { waitUntil } from './wait';

const MOST_STOPS = 90;

/**
 * Runs in the page. A toast may cover the main part of the page for its five seconds, and never the navbar.
 * @returns what is wrong with the focused element, or undefined when it is visible and has a ring
 */
async function unseen(): Promise<string | undefined> {
  await new Promise(requestAnimationFrame);
  const focused = document.activeElement;
  if (!focused || focused === document.body) return 'nothing has the focus';
  const words = focused.outerHTML.slice(0, 160);
  const box = focused.getBoundingClientRect();
  const [x, y] = [box.x + box.width / 2, box.y + Math.min(box.height / 2, 20)];
  const top = document.elementFromPoint(x, y);
  const around = focused.closest('label') ?? focused;
  const underToast = focused.closest('main') && top?.closest('section[aria-label^="Notifications"]');
  if (!underToast && !(around.contains(top) || top?.contains(around))) return `out of sight: ${words}`;
  const rung = () => {
    for (let shown: Element | null = focused, up = 0; shown && up < 4; shown = shown.parentElement, up += 1) {
      const { outlineStyle, outlineWidth } = getComputedStyle(shown);
      if (outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2) return true;
    }
    return false;
  };
  // The card field gets its ring by a message from its frame.
  for (let frames = 0; frames < 60 && !rung(); frames += 1) await new Promise(requestAnimationFrame);
  return rung() ? undefined : `no ring: ${words}`;
}

const hasFocus = (element: Element) =>
  element.ownerDocument.hasFocus() && element === element.ownerDocument.activeElement;

/** Uses the page by keyboard only, and records every stop where the focus is not visible. */
export function keyboardOf(page: Page) {
  const unseenStops: string[] = [];

  const { keyboard } = page;
  const type = (text: string) => keyboard.type(text);

  async function isOn(target: Locator): Promise<void> {
    await target.waitFor();
    await waitUntil(() => target.evaluate(hasFocus)).catch(() => {
      throw new Error(`The focus never came to ${target.toString()}.`);
    });
  }

  /** Moves the focus to an element. */
  async function to(target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
    await target.waitFor();
    for (let stops = 0; stops < MOST_STOPS; stops += 1) {
      if (await target.evaluate(hasFocus)) return;
      await keyboard.press(key);
      const problem = await page.evaluate(unseen);
      if (problem && !unseenStops.includes(problem)) unseenStops.push(problem);
    }
    throw new Error(`No way to ${target.toString()} by ${key}.`);
  }

  return {
    unseenStops,
    press: (key: string) => keyboard.press(key),
    type,
    to,
    isOn,
    async choose(target: Locator, key = 'Enter') {
      await to(target);
      await keyboard.press(key);
    },
    async write(target: Locator, text: string) {
      await to(target);
      await type(text);
    },
    /** Waits for a new page with the focus at its beginning. */
    async arrivesAt(title: string): Promise<void> {
      await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
      await isOn(page.locator('main:focus, h1:focus'));
    },
  };
}
