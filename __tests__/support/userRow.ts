import { screen } from '@testing-library/react';
import { put } from './user';

/** Of one among all who ever came to the shop: found by email, since only the first hundred are drawn. */
export async function rowOf(email: string): Promise<HTMLElement> {
  await put(await screen.findByLabelText('Find by email'), email);
  return (await screen.findByText(email, { selector: 'bdi' })).closest('tr')!;
}
