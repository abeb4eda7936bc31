import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';

/** A person at the page, whose keys follow one another without a pause. */
export const user = userEvent.setup({ delay: null });

/** Puts a text into a field at once, in the place of what was there. */
export async function put(field: HTMLElement, text: string): Promise<void> {
  await user.clear(field);
  if (!text) return;
  await user.click(field);
  await user.paste(text);
}

export const field = (label: string) => screen.findByLabelText<HTMLInputElement>(label);

export async function fill(fields: Record<string, string>): Promise<void> {
  for (const [label, text] of Object.entries(fields)) await put(await field(label), text);
}
