import type { Page } from 'playwright-core';

/** What went wrong is said aloud. */
export const told = (page: Page, text: string) =>
  page.getByRole('alert').getByText(text, { exact: true }).last().waitFor();

/** What went well is said in passing. */
export const thanked = (page: Page, text: string) =>
  page.getByRole('status').getByText(text, { exact: true }).last().waitFor();
