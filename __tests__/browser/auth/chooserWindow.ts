import type { Page } from 'playwright-core';

/** Expects `press` to close the window. The driver's response to the press may be lost with the window. */
export async function expectToClose(popup: Page, press: () => Promise<unknown>): Promise<void> {
  const closed = popup.waitForEvent('close');
  const pressed = press().catch((error: Error) => {
    if (!error.message.includes('has been closed')) throw error;
  });
  await Promise.all([closed, pressed]);
}

/** Waits until the local account chooser's script has enabled the button. */
export const waitUntilChooserInteractive = (chooser: Page) =>
  chooser.getByRole('button', { name: 'Continue' }).and(chooser.locator(':enabled')).waitFor();
