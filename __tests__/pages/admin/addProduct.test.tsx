import { randomUUID } from 'node:crypto';
import { screen, waitFor } from '@testing-library/react';
import { query } from '../../support/database';
import { field, fill, openPage, replaceText, user, signInAsAdmin } from '../../support/page';
import { clearDrafts } from '../../../src/forms/drafts';

const LABELS = [
  'Name',
  'Price',
  'Minimum order quantity',
  'Available quantity',
  'Description',
  'Picture link',
] as const;
const FILLED: Record<(typeof LABELS)[number], string> = {
  Name: 'Dead blow hammer',
  Price: '42',
  'Minimum order quantity': '20',
  'Available quantity': '120',
  Description: 'Lands once.',
  'Picture link': '/images/tools/claw-hammer.svg',
};

const send = () => user.click(screen.getByRole('button', { name: 'Add Product' }));
const readToolsNamed = (name: string) =>
  query('select price, minimum_order_quantity, available_quantity, img from tools where name = $1', [name]);

beforeAll(signInAsAdmin);
beforeEach(clearDrafts);

// Clauses A.2.9, A.2.38, A.5.9
test('adding a tool requires all six fields', async () => {
  await openPage('/dashboard/addproduct');
  await field('Name');
  await send();
  const errors = await screen.findAllByRole('alert');
  expect(errors.map(({ textContent }) => textContent)).toEqual(LABELS.map((label) => `${label} is required`));
  expect(await field('Name')).toHaveFocus();
});

test('Add Product shows a preview of the tool card', async () => {
  const { container } = await openPage('/dashboard/addproduct');
  await fill({ ...FILLED, Price: '11900', 'Available quantity': '2600', 'Minimum order quantity': '1180' });
  const card = container.querySelector('figure')!;
  const numbers = ['Price: $ 11,900', 'Available: 2,600 piece', 'Minimum Order: 1,180'];
  for (const text of ['Dead blow hammer', 'Lands once.', ...numbers]) expect(card).toHaveTextContent(text);
  await waitFor(() => expect(card.querySelector('img')).toHaveAttribute('src', FILLED['Picture link']));
  expect(screen.getByText('Purchase').closest('[inert]')).not.toBeNull();
});

test('a tool whose minimum order exceeds its stock shows a warning and can still be saved', async () => {
  await openPage('/dashboard/addproduct');
  const name = `Short hammer ${randomUUID()}`;
  await fill({ ...FILLED, Name: name, 'Minimum order quantity': '200' });
  const warning = "The minimum order is above the stock. Customers can't pay until you change one of them.";
  expect(await screen.findByText(warning)).toBeVisible();
  expect(await field('Minimum order quantity')).toHaveAccessibleDescription(warning);
  await send();
  expect(await screen.findByText('New Tools Added Successfully')).toBeVisible();
  expect(await readToolsNamed(name)).toMatchObject([{ minimum_order_quantity: 200, available_quantity: 120 }]);
});

// Clauses A.1.3, A.6.3, A.8.8
test('saving a new tool empties the form, and the home page shows the tool immediately', async () => {
  const name = `New hammer ${randomUUID()}`;
  await openPage('/');
  await screen.findByRole('heading', { name: 'Tools' });
  await user.click(screen.getByRole('link', { name: 'Dashboard' }));
  await user.click(await screen.findByRole('link', { name: 'Add Product' }));
  await fill({ ...FILLED, Name: name });
  await send();
  expect(await screen.findByText('New Tools Added Successfully')).toBeVisible();
  await waitFor(async () => expect(await field('Name')).toHaveValue(''));
  for (const label of LABELS) expect(await field(label)).toHaveValue('');
  expect(await readToolsNamed(name)).toEqual([
    { price: 42, minimum_order_quantity: 20, available_quantity: 120, img: FILLED['Picture link'] },
  ]);
  await user.click(screen.getByRole('link', { name: 'Home' }));
  // Only the first hundred tools are shown without a search, and other tests add tools too.
  await replaceText(await screen.findByRole('searchbox', { name: 'Find a tool' }), name);
  expect(await screen.findByRole('heading', { name })).toBeInTheDocument();
});
