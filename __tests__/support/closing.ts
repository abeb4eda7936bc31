import type { Page } from 'playwright-core';

/** A press that makes a window close itself: its own answer may be lost with the window, the closing may not. */
export async function closes(popup: Page, press: () => Promise<unknown>): Promise<void> {
  const closed = popup.waitForEvent('close');
  const pressed = press().catch((error: Error) => {
    if (!error.message.includes('has been closed')) throw error;
  });
  await Promise.all([closed, pressed]);
}

/** The local chooser, once its script answers. */
export const isAlive = (chooser: Page) =>
  chooser.getByRole('button', { name: 'Continue' }).and(chooser.locator(':enabled')).waitFor();
