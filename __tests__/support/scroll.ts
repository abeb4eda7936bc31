import type { Locator } from 'playwright-core';
import { waitUntil } from './wait';

/** Down to the end of a list that grows as one scrolls, until this is in it. */
export const comesInSight = (target: Locator) =>
  waitUntil(async () => {
    await target.page().evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    return (await target.count()) > 0;
  });
