import { render, screen, within } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import type { Order } from '../../../src/contract/entities';
import { OrdersToPay } from '../../../src/features/orders/OrdersToPay';

const OFFER = {
  _id: 'a1b2c3d4-0000-4000-8000-000000000000',
  productName: 'Claw hammer',
  price: 17,
  totalQuantity: 120,
  status: 'unpaid',
  offered: true,
  heldUntil: new Date(Date.now() + 3 * 86_400_000).toISOString(),
} as Order;
const { offered: _, ...UNPAID } = OFFER;
const PLACED: Order = { ...UNPAID, _id: 'b1b2c3d4-0000-4000-8000-000000000000', totalQuantity: 2 };

const show = (orders: Order[], placed?: string) =>
  render(
    <MemoryRouter initialEntries={[{ pathname: '/dashboard/myorder', state: { placed } }]}>
      <OrdersToPay orders={orders} />
    </MemoryRouter>,
  );

test('an offered price is announced with its total, the end of the hold and a link to pay', () => {
  show([OFFER, { ...OFFER, _id: PLACED._id }]);
  const [first, second] = screen.getAllByRole('region', { name: /^Our offer for order / });
  expect(first!.getAttribute('aria-label')).not.toBe(second!.getAttribute('aria-label'));
  const offer = within(first!);
  expect(offer.getByText(/^We offer you/)).toHaveTextContent('We offer you $17 each for 120 × Claw hammer.');
  expect(offer.getByText(/^Held for you until/)).toBeTruthy();
  expect(offer.getByRole('link', { name: 'Pay $2,040' })).toHaveAttribute('href', `/dashboard/payment/${OFFER._id}`);
});

test('an offer that is paid and an order that was not just placed are not announced', () => {
  show([{ ...OFFER, status: 'paid', paid: true }, PLACED]);
  expect(screen.queryByRole('region')).toBeNull();
});

test('an order that was just placed is announced beside an offer', () => {
  show([PLACED, OFFER], PLACED._id);
  expect(screen.getAllByRole('link').map(({ textContent }) => textContent)).toEqual(['Pay $34 now', 'Pay $2,040']);
});
