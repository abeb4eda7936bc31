import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import type { Db } from '../db/database';

const TRIES = 10;
const PAUSE_MS = 20;
/** Each call adds at most one. While a transaction stays open for long, further calls add none. */
const MAX_MARKS = 1_000;

/** Up to this position, orders can appear until all transactions before `xid` have ended. */
interface Mark {
  position: number;
  xid: bigint;
}

/**
 * An order gets its position before it is committed, so an order with a lower position can appear after one with a
 * higher one. A transaction that places an order locks the customer before that, so it has a transaction id by then.
 * So once all transactions that were open after the last position was read have ended, no order up to it can appear.
 * @returns a function that reads the highest position for which that is certain
 */
export function createCompletePosition(db: Db) {
  let complete = 0;
  let marks: Mark[] = [];

  async function readMark(): Promise<Mark> {
    // Two statements, because positions that are given out after this transaction has its id must not count. A
    // snapshot's xmax would not do, because transactions with higher ids can be open.
    const [last] = (
      await db.execute<{ position: string | null }>(
        sql`select pg_sequence_last_value(pg_get_serial_sequence('orders', 'position')::regclass) as position`,
      )
    ).rows;
    const [transaction] = (await db.execute<{ xid: string }>(sql`select pg_current_xact_id()::text as xid`)).rows;
    return { position: Number(last!.position ?? 0), xid: BigInt(transaction!.xid) };
  }

  async function completeMarks(): Promise<void> {
    const { rows } = await db.execute<{ xid: string }>(
      sql`select pg_snapshot_xmin(pg_current_snapshot())::text as xid`,
    );
    const oldestOpen = BigInt(rows[0]!.xid);
    for (const { position, xid } of marks) if (xid <= oldestOpen) complete = Math.max(complete, position);
    marks = marks.filter(({ xid }) => xid > oldestOpen);
  }

  /** Most transactions end within a few milliseconds. Behind a long one, the earlier position is returned. */
  return async function readCompletePosition(): Promise<number> {
    const mark = await readMark();
    if (marks.length < MAX_MARKS) marks.push(mark);
    for (let tries = 0; tries < TRIES; tries++) {
      await completeMarks();
      if (complete >= mark.position) break;
      await sleep(PAUSE_MS);
    }
    return complete;
  };
}
