import { getTableName, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { IDEMPOTENCY_KEY_HOURS } from '../../src/contract/limits';
import type { Db } from '../db/database';
import { deleteInBatches } from '../db/deleteInBatches';
import {
  adminActs,
  declines,
  endedHolds,
  endedSessions,
  idempotencyKeys,
  mails,
  providerEvents,
  rateLimits,
} from '../db/schema';
import { addMs, DAY_MS, HOUR_MS } from '../db/time';
import { REMEMBERED_MS } from '../orders/lockTool';
import { DECLINES_COUNT_MS } from '../payments/declines';

/**
 * How long the rows of a table are kept after the time in the column. The access tokens and ID tokens of ended sessions
 * have expired long before. docs/OPERATIONS.md has all tables.
 */
const RETENTION = new Map<PgTable, [column: PgColumn, ms: number]>([
  [idempotencyKeys, [idempotencyKeys.createdAt, IDEMPOTENCY_KEY_HOURS * HOUR_MS]],
  [endedHolds, [endedHolds.endedAt, REMEMBERED_MS]],
  [declines, [declines.at, DECLINES_COUNT_MS]],
  [providerEvents, [providerEvents.createdAt, 30 * DAY_MS]],
  [endedSessions, [endedSessions.endedAt, 60 * DAY_MS]],
  [mails, [mails.createdAt, 90 * DAY_MS]],
  [rateLimits, [rateLimits.resetsAt, 0]],
  [adminActs, [adminActs.createdAt, 2 * 365 * DAY_MS]],
]);

type Context = { db: Db; now: () => Date };

/** @returns how many rows were deleted */
export function deleteOldRows({ db, now }: Context, table: PgTable): Promise<number> {
  const [column, ms] = RETENTION.get(table)!;
  return deleteInBatches(db, table, sql`${column} < ${addMs(now(), -ms)}`);
}

/** A step of the sweep for each table, named after it. */
export const deletionSteps = [...RETENTION.keys()].map((table) =>
  Object.defineProperty((ctx: Context) => deleteOldRows(ctx, table), 'name', {
    value: `delete old ${getTableName(table)}`,
  }),
);
