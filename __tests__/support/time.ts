import type { Page } from 'playwright-core';

const A_MINUTE_MS = 60_000;

/** The page's time, once it is `clock.install`ed, stands still from here on and moves by `clock.fastForward` alone. */
export const stopTime = async (page: Page) => page.clock.pauseAt((await page.evaluate(() => Date.now())) + A_MINUTE_MS);
