import { screen, waitFor, within } from '@testing-library/react';
import { TEXT } from '../../src/contract/limits';
import { MESSAGES } from '../../src/contract/messages';
import type { Tool } from '../../src/contract/entities';
import { openPage, signUp } from '../support/app';
import { watchCalls } from '../support/sentCalls';
import { put, user } from '../support/user';

const sent = watchCalls();
const ordered = () => sent.filter(({ call }) => call === 'POST /order').map(({ body }) => body);
const field = (label: string) => screen.findByLabelText<HTMLInputElement>(label);
const press = (name: string) => user.click(within(screen.getByRole('main')).getByRole('button', { name }));

async function openTool() {
  const tools = (await (await fetch('/tool', { headers: { accept: 'application/json' } })).json()) as Tool[];
  const tool = tools.find(({ availableQuantity, minimumOrderQuantity }) => availableQuantity > minimumOrderQuantity)!;
  await openPage(`/purchase/${tool._id}`);
  await put(await field('Address'), '18 Foundry Row');
  await put(await field('Phone'), '555 0142');
  return tool;
}

async function ordersAs(name: string) {
  const { minimumOrderQuantity } = await openTool();
  expect(await field('Name')).toHaveValue(name);
  await put(await field('Quantity'), String(minimumOrderQuantity));
  await press('Place order');
  await screen.findByText(MESSAGES.orderPlaced);
  expect(ordered()).toMatchObject([{ client: name }]);
}

beforeEach(() => {
  sessionStorage.clear();
  sent.length = 0;
});

test.each(['0', '-1', '1000001', '9999999999999999999999'])(
  'a quantity of %s is out of range: said while one types, no total, and not sent',
  async (typed) => {
    await signUp();
    const tool = await openTool();
    await put(await field('Quantity'), typed);
    const warning = (await screen.findByText(MESSAGES.quantityRange)).closest('[role=status]');
    const fits = typed.length > 2 ? tool.availableQuantity : tool.minimumOrderQuantity;
    const offer = `Order ${fits} instead`;
    expect(warning).toHaveTextContent(offer);
    expect(screen.getByText('$ 0')).toBeVisible();

    await press('Place order');
    await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent(MESSAGES.quantityRange));
    expect(screen.getAllByText(MESSAGES.quantityRange)).toHaveLength(1);
    expect(await field('Quantity')).toHaveFocus();
    await press(offer);
    await waitFor(() => expect(screen.queryByText(MESSAGES.quantityRange)).toBeNull());
    expect(ordered()).toEqual([]);
  },
);

test('who has no display name orders and reviews by the part of the email before the @', async () => {
  const { email } = await signUp('');
  const name = email.split('@')[0]!;
  await ordersAs(name);

  await user.click(await screen.findByRole('link', { name: 'Add review' }));
  await put(await field('Description'), 'Good steel.');
  await put(await field('Ratings'), '4');
  await put(await field('Photo link'), '/images/tools/claw-hammer.svg');
  await press('Add review');
  await screen.findByText(MESSAGES.reviewSaved);
  expect(sent.findLast(({ call }) => call === 'POST /review')!.body).toMatchObject({ name });
});

test('a display name that is longer than names may be is cut, as the server cuts it, and keeps nobody from ordering', async () => {
  const cut = 'Ann '.repeat(40).slice(0, TEXT.name);
  await signUp('Ann '.repeat(40));
  await ordersAs(cut);
});
