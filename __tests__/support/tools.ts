import { randomUUID } from 'node:crypto';
import type { Tool } from '../../src/contract/entities';
import { callShop, shopOrigin } from './api';
import { query } from './database';
import { waitUntil } from './wait';

/** Notifies the shop so that it reloads its tools. */
const notifyShop = () => query("notify forgeline_catalogue, 'somebody tools'");

export async function listTools(): Promise<Tool[]> {
  const { body } = await callShop(shopOrigin(), '/tool');
  return body as unknown as Tool[];
}

const findTool = async (id: string) => (await listTools()).find(({ _id }) => _id === id);

/** Inserts a new tool, and waits until the shop lists it. */
export async function newTool(): Promise<Tool> {
  const [row] = await query<{ id: string }>(
    `insert into tools (name, price, minimum_order_quantity, available_quantity, stocked_quantity, description, img)
     values ($1, 18, 20, 640, 640, 'For a test.', '/images/tools/claw-hammer.svg') returning id`,
    [`Test hammer ${randomUUID()}`],
  );
  await notifyShop();
  return waitUntil(() => findTool(row!.id));
}

let toolOfFile: Promise<Tool> | undefined;

/** @returns one tool for all tests of a file, for tests that do not depend on its price or stock */
export const sharedTool = () => (toolOfFile ??= newTool());

/** Sets columns of a tool to other values than they have, and waits until the shop's list shows the change. */
export async function changeTool(id: string, columns: Record<string, string | number | boolean>): Promise<void> {
  const readListed = async () => JSON.stringify(await findTool(id));
  const before = await readListed();
  const changes = Object.keys(columns).map((column, i) => `${column} = $${i + 2}`);
  await query(`update tools set ${changes.join(', ')} where id = $1`, [id, ...Object.values(columns)]);
  await notifyShop();
  await waitUntil(async () => (await readListed()) !== before);
}

/** Sets the stock of a tool that has no orders. */
export async function setStock(id: string, pieces: number): Promise<void> {
  if ((await findTool(id))!.availableQuantity === pieces) return;
  await changeTool(id, { available_quantity: pieces, stocked_quantity: pieces });
}
