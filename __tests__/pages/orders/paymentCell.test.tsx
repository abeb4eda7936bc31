import { render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import type { Order } from '../../../src/contract/entities';
import { PaymentCell } from '../../../src/features/orders/PaymentCell';

const unpaid = { _id: 'order-1', price: 18, paid: false, status: 'unpaid' } as Order;

// Clause A.2.31
test.each<[cell: string, when: string, order: Partial<Order>]>([
  ['Pay', 'unpaid and priced', {}],
  ['Delete', 'unpaid without a price', { price: null }],
  ['Paid', 'paid', { paid: true }],
  ['Paid', 'paid without a price', { paid: true, price: null }],
  ['Refunded', 'refunded', { status: 'refunded' }],
])('the Payment cell shows %s for an order that is %s', (cell, _when, order) => {
  const { container } = render(<PaymentCell order={{ ...unpaid, ...order }} onDelete={() => {}} />, {
    wrapper: MemoryRouter,
  });
  expect(container).toHaveTextContent(cell);
  expect(screen.queryAllByRole('link').map((link) => link.getAttribute('href'))).toEqual(
    cell === 'Pay' ? ['/dashboard/payment/order-1'] : [],
  );
});
