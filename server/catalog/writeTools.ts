import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { ToolChange, ToolDraft } from '../../src/contract/entities';
import { formatWithCommas } from '../../src/contract/formatWithCommas';
import { MAX_QUANTITY } from '../../src/contract/limits';
import type { CallerAccount } from '../auth/access';
import { recordAdminActs } from '../auth/recordAdminAct';
import type { Tx } from '../db/database';
import type { tools } from '../db/schema';

export type ToolRow = typeof tools.$inferSelect;
export type ToolFields = Omit<ToolChange, 'was' | 'stockChange'>;
export interface ToolEdit {
  /** The locked row. */
  tool: ToolRow;
  wanted: ToolFields;
  stockChange: number;
}
export type NewTool = ToolDraft & { onSale?: boolean };

/** @returns why the stock cannot change by this number, or undefined */
export function stockProblemOf({ availableQuantity }: ToolRow, change: number): string | undefined {
  const available = availableQuantity + change;
  if (available < 0)
    return `You can remove at most ${formatWithCommas(availableQuantity)}, because no more are in stock.`;
  return available > MAX_QUANTITY ? `The stock can be at most ${formatWithCommas(MAX_QUANTITY)}.` : undefined;
}

/** Inserts tools in this order, in one statement however many they are. */
export async function insertTools(tx: Tx, actor: CallerAccount, drafts: NewTool[]): Promise<string[]> {
  const rows = drafts.map((draft) => ({ onSale: true, ...draft, id: randomUUID() }));
  await tx.execute(sql`
    insert into tools (id, name, price, minimum_order_quantity, available_quantity, stocked_quantity, description, img,
      on_sale)
    select id, name, price, "minimumOrderQuantity", "availableQuantity", "availableQuantity", description, img, "onSale"
    from rows from (jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as (id uuid, name text, price integer,
      "minimumOrderQuantity" integer, "availableQuantity" integer, description text, img text, "onSale" boolean)
    ) with ordinality as new(id, name, price, "minimumOrderQuantity", "availableQuantity", description, img, "onSale", n)
    order by n`);
  await recordAdminActs(
    tx,
    actor,
    rows.map(({ id }, index) => ({ act: 'add tool', subject: id, detail: drafts[index]! })),
  );
  return rows.map(({ id }) => id);
}

function changesOf({ tool, wanted, stockChange }: ToolEdit) {
  const fields = Object.keys(wanted) as (keyof ToolFields)[];
  const changed = fields.filter((field) => wanted[field] !== tool[field]);
  return {
    ...Object.fromEntries(changed.map((field) => [field, wanted[field]])),
    ...(stockChange !== 0 && { stockChange }),
  };
}

/** Updates tools in one statement however many they are. Only what differs is recorded. */
export async function updateTools(tx: Tx, actor: CallerAccount, edits: ToolEdit[]): Promise<void> {
  const changed = edits
    .map((edit) => ({ ...edit, detail: changesOf(edit) }))
    .filter(({ detail }) => Object.keys(detail).length > 0);
  if (changed.length === 0) return;
  const rows = changed.map(({ tool, wanted, stockChange }) => ({ ...tool, ...wanted, stockChange }));
  await tx.execute(sql`
    update tools set name = new.name, price = new.price, minimum_order_quantity = new."minimumOrderQuantity",
      description = new.description, img = new.img, on_sale = new."onSale",
      available_quantity = tools.available_quantity + new."stockChange",
      stocked_quantity = tools.stocked_quantity + new."stockChange"
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as new(id uuid, name text, price integer,
      "minimumOrderQuantity" integer, description text, img text, "onSale" boolean, "stockChange" integer)
    where tools.id = new.id`);
  await recordAdminActs(
    tx,
    actor,
    changed.map(({ tool, detail }) => ({ act: 'edit tool', subject: tool.id, detail })),
  );
}
