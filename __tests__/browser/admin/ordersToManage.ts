import { randomBytes } from 'node:crypto';
import type { Page } from 'playwright-core';
import type { Order, OrderStatus } from '../../../src/contract/entities';
import { callShop, shopOrigin } from '../../support/api';
import { payWithToken } from '../../support/cards';
import { exchangeIdToken, newAccount, newEmail, signInToAccount } from '../../support/customers';
import { query } from '../../support/database';
import { newTool } from '../../support/tools';

/** @returns a product name that no other test uses, so that a search for it finds only the orders of one test */
export const newProductName = () => `Batch${randomBytes(6).toString('hex')}`;

interface NewOrders {
  product: string;
  count?: number;
  status?: Exclude<OrderStatus, 'shipped' | 'refunded'>;
  client?: string;
}

/** Inserts orders of the demo customer, numbered from 1, and payments of paid orders. */
export async function insertOrders({ product, count = 1, status = 'paid', client = 'Ann Lee' }: NewOrders) {
  const price = status === 'unpriced' ? null : 18;
  const rows = await query<{ id: string }>(
    `insert into orders (owner_id, email, client, tool_id, product_name, quantity, address, phone, state, holds_stock,
       unit_price)
     select u.id, u.email, $4, (select id from tools limit 1), $1 || ' ' || n, 5, '18 Foundry Row', '555 0142', $3,
       $5::int is not null, $5
     from users u, generate_series(1, $2::int) n where u.email = 'customer@forgeline.example' order by n
     returning id`,
    [product, count, status, client, price],
  );
  if (status === 'paid')
    await query(
      `insert into payments (intent_id, order_id, outcome, amount_cents, currency)
       select 'pi_' || replace(id::text, '-', ''), id, 'paid', 9000, 'usd' from orders where product_name like $1 || ' %'`,
      [product],
    );
  return rows.map(({ id }) => id);
}

/** Signs up a customer who orders and pays for a tool that only this test uses. */
export async function placePaidOrder(): Promise<{ order: Order; toolId: string; email: string }> {
  const [email, tool] = [newEmail('buyer'), await newTool()];
  await newAccount(email, 'Bo Buyer');
  const token = await exchangeIdToken(email, await signInToAccount(email));
  const draft = {
    ...{ toolId: tool._id, productName: tool.name, totalQuantity: tool.minimumOrderQuantity },
    ...{ client: 'Bo Buyer', address: 'Dock 4', phone: '555 0199' },
  };
  const { body } = await callShop(shopOrigin(), '/order', { method: 'POST', token, body: draft });
  const order = body as unknown as Order;
  await payWithToken(shopOrigin(), token, order._id, order.price! * order.totalQuantity);
  return { order, toolId: tool._id, email };
}

export async function readOrder(id: string) {
  const [row] = await query<{ state: string; tracking: string | null; refunds: number; unit_price: number | null }>(
    `select state, unit_price, (select tracking from shipments where order_id = o.id),
       (select count(*)::int from refunds where order_id = o.id) as refunds from orders o where id = $1`,
    [id],
  );
  return row!;
}

export function createManageOrdersDriver(fixture: { page: Page }) {
  const main = () => fixture.page.getByRole('main');
  const toggles = () => main().locator('[aria-expanded]');
  return {
    main,
    /** The button of each order that opens and closes the order's details. */
    toggles,
    toggle: (name: string | RegExp) => main().getByRole('button', { name }).and(toggles()),
    open: (status: string, q: string) =>
      fixture.page.goto(`/dashboard/manageallorders?status=${status}&q=${encodeURIComponent(q)}`),
  };
}
