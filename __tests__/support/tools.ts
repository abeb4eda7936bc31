import { randomUUID } from 'node:crypto';
import type { Tool } from '../../src/contract/entities';
import { callShop, shopOrigin } from './api';
import { query } from './database';
import { waitUntil } from './wait';

/** Changes tools in the shared shop's database, and notifies the shop so that it reloads its tools. */
async function changeTools<Row extends object>(text: string, values: unknown[]): Promise<Row[]> {
  const rows = await query<Row>(text, values);
  await query("notify forgeline_catalogue, 'somebody tools'");
  return rows;
}

/** Inserts a new tool, and waits until the shop lists it. */
export async function newTool(): Promise<Tool> {
  const [row] = await changeTools<{ id: string }>(
    `insert into tools (name, price, minimum_order_quantity, available_quantity, stocked_quantity, description, img)
     values ($1, 18, 20, 640, 640, 'For a test.', '/images/tools/claw-hammer.svg') returning id`,
    [`Test hammer ${randomUUID()}`],
  );
  return waitUntil(async () => (await listTools()).find(({ _id }) => _id === row!.id));
}

let toolOfFile: Promise<Tool> | undefined;

/** @returns one tool for all tests of a file, for tests that do not depend on its price or stock */
export const sharedTool = () => (toolOfFile ??= newTool());

export const setPrice = (id: string, price: number) =>
  changeTools('update tools set price = $2 where id = $1', [id, price]);

export const setDescription = (id: string, description: string) =>
  changeTools('update tools set description = $2 where id = $1', [id, description]);

export async function setStock(id: string, pieces: number): Promise<void> {
  await changeTools('update tools set available_quantity = $2, stocked_quantity = $2 where id = $1', [id, pieces]);
  await waitUntil(async () =>
    (await listTools()).some(({ _id, availableQuantity }) => _id === id && availableQuantity === pieces),
  );
}

export async function listTools(): Promise<Tool[]> {
  const { body } = await callShop(shopOrigin(), '/tool');
  return body as unknown as Tool[];
}

export async function setOnSale(id: string, isOnSale: boolean): Promise<void> {
  await changeTools('update tools set on_sale = $2 where id = $1', [id, isOnSale]);
  await waitUntil(async () => (await listTools()).some(({ _id }) => _id === id) === isOnSale);
}
