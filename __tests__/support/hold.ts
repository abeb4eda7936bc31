import type { Page } from 'playwright-core';

/** The shop takes its time with these calls, until it is let go. */
export async function hold(page: Page, calls: string | RegExp, method = 'POST') {
  let letGo = () => {};
  let asked = 0;
  const gate = new Promise<void>((resolve) => (letGo = resolve));
  await page.route(calls, async (route) => {
    if (route.request().method() !== method || route.request().resourceType() === 'document') return route.fallback();
    asked += 1;
    await gate;
    await route.continue().catch(() => undefined);
  });
  return { letGo, asked: () => asked };
}
