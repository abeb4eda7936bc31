import { sql } from 'drizzle-orm';
import type { Tx } from '../db/database';
import { addMs, DAY_MS } from '../db/time';

/** For how long a hold that ended unpaid counts. */
export const REMEMBERED_MS = DAY_MS;

/** A tool, and what the customer holds and held of it. */
export interface LockedTool {
  id: string;
  name: string;
  price: number;
  min: number;
  available: number;
  onSale: boolean;
  /** Null if the customer has been erased, or somebody else has their email. */
  ownerEmail: string | null;
  /** The customer's unpaid orders of any tool, except those at an offered price. */
  unpaidOrders: number;
  /** How many pieces of this tool the customer's unpaid orders hold. */
  held: number;
  endedHolds: { seconds: number; at: string }[];
}

/**
 * Locks the tool until the transaction ends, so that its price and its stock stay the same. The transaction must have
 * locked the customer's row before. The condition on `tool_id` is in the sum's filter, because in the WHERE clause it
 * could make PostgreSQL read all orders of the tool.
 * @returns undefined if the tool does not exist
 */
export async function lockTool(tx: Tx, toolId: string, ownerId: string, now: Date): Promise<LockedTool | undefined> {
  const { rows } = await tx.execute<LockedTool & Record<string, unknown>>(sql`
    select id, name, price, minimum_order_quantity as min, available_quantity as available, on_sale as "onSale",
      (select email from users where id = ${ownerId}) as "ownerEmail", unpaid."unpaidOrders", unpaid.held, ended."endedHolds"
    from tools tool, lateral (
      select (count(*) filter (where not offered))::int as "unpaidOrders",
        coalesce(sum(quantity) filter (where tool_id = ${toolId} and holds_stock), 0)::int as held
      from orders where owner_id = ${ownerId} and state = 'unpaid'
    ) unpaid, lateral (
      select coalesce(json_agg(json_build_object('seconds', held_seconds, 'at', ended_at) order by ended_at desc), '[]')
        as "endedHolds"
      from ended_holds
      where owner_id = ${ownerId} and tool_id = ${toolId} and ended_at > ${addMs(now, -REMEMBERED_MS)}
    ) ended
    where id = ${toolId} for no key update of tool`);
  return rows[0];
}
