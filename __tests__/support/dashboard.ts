import type { Page } from 'playwright-core';
import { DEMO_PASSWORD } from '../../src/contract/demo';
import { comeBack } from './account';

export const ROOMS = {
  customer: ['/dashboard', '/dashboard/myorder', '/dashboard/addreview'],
  admin: ['/dashboard', '/dashboard/allusers', '/dashboard/addproduct', '/dashboard/manageallorders'],
} as const;

/** Signs in as one of the two whom the demo has. */
export const comeAs = (page: Page, who: keyof typeof ROOMS, origin?: string) =>
  comeBack(page, `${who}@forgeline.example`, DEMO_PASSWORD, origin);

export const menuOf = (page: Page) =>
  page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link').allTextContents();

/** Moves by the Tab key alone until `selector` has the focus. */
export async function tabTo(page: Page, selector: string): Promise<void> {
  const there = () => page.evaluate((wanted) => document.activeElement?.matches(wanted) ?? false, selector);
  for (let presses = 0; presses < 60; presses += 1) {
    if (await there()) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`No way to ${selector} by the Tab key.`);
}

/** As the browser tells a page that its window has come to the front. */
export const comeBackTo = (page: Page) => page.evaluate(() => void window.dispatchEvent(new Event('focus')));
