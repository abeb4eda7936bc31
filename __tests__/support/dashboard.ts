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

/** As the browser tells a page that its window has come to the front. */
export const comeBackTo = (page: Page) => page.evaluate(() => void window.dispatchEvent(new Event('focus')));
