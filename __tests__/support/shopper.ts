import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import type { Page } from 'playwright-core';
import type { Order, Tool } from '../../src/contract/entities';
import { callShop } from './calls';
import { shopOrigin } from './browser';
import { storedToken } from './visitor';
import { waitUntil } from './wait';

async function inDatabase<T extends object>(sql: string, values: unknown[]): Promise<T[]> {
  const client = new Client(process.env['SHOP_DATABASE_URL']);
  await client.connect();
  try {
    const { rows } = await client.query<T>(sql, values);
    await client.query("notify forgeline_catalogue, 'somebody tools'");
    return rows;
  } finally {
    await client.end();
  }
}

/** A tool of one's own, so that no other test buys it away. */
export async function newTool(): Promise<Tool> {
  const [made] = await inDatabase<{ id: string }>(
    `insert into tools (name, price, minimum_order_quantity, available_quantity, stocked_quantity, description, img)
     values ($1, 18, 20, 640, 640, 'For a test.', '/images/tools/claw-hammer.svg') returning id`,
    [`Test hammer ${randomUUID()}`],
  );
  return waitUntil(async () => (await listTools()).find(({ _id }) => _id === made!.id));
}

let ofTheFile: Promise<Tool> | undefined;

/** The same for all tests of a file: for what leaves its price and its stock as they are, or nearly so. */
export const theTool = () => (ofTheFile ??= newTool());

export const setPrice = (id: string, price: number) =>
  inDatabase('update tools set price = $2 where id = $1', [id, price]);

export async function setStock(id: string, pieces: number): Promise<void> {
  await inDatabase('update tools set available_quantity = $2, stocked_quantity = $2 where id = $1', [id, pieces]);
  await waitUntil(async () =>
    (await listTools()).some(({ _id, availableQuantity }) => _id === id && availableQuantity === pieces),
  );
}

/** As when the operator ends them: neither the shop's tokens nor the provider's are taken any more. */
export async function endSessions(email: string): Promise<void> {
  await inDatabase('update users set sessions_valid_from = now() where email = $1', [email]);
  await inDatabase(
    `update identity_refresh_tokens t set revoked_at = now() from identity_accounts a
     where a.local_id = t.local_id and email = $1`,
    [email],
  );
}

/** As if they had been placed one after the other, long ago, and counted as they are. */
export const giveOrders = (email: string, many: number) =>
  inDatabase(
    `with counted as (update order_counts set n = n + $2::int where shard = 0)
     insert into orders (owner_id, email, client, tool_id, product_name, quantity, address, phone, state, holds_stock)
     select u.id, u.email, 'Ann', (select id from tools limit 1), 'Hammer ' || n, 5, 'a', 'p', 'unpriced', false
     from users u, generate_series(1, $2::int) n where u.email = $1`,
    [email, many],
  );

export async function listTools(): Promise<Tool[]> {
  const { body } = await callShop(shopOrigin(), '/tool');
  return body as unknown as Tool[];
}

/** What the server holds of this person's orders. */
export async function ordersOf(page: Page, email: string): Promise<Order[]> {
  const token = (await storedToken(page)) ?? undefined;
  const { body } = await callShop(shopOrigin(), `/order?email=${encodeURIComponent(email)}`, { token });
  return body as unknown as Order[];
}
