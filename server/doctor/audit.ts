import { sql } from 'drizzle-orm';
import type { Db, Tx } from '../db/database';
import { auditProvider, type AuditContext } from './auditProvider';
import { DATABASE_CHECKS } from './databaseChecks';
import type { Check, Finding } from './finding';
import { REFUND_CHECKS } from './refundChecks';

async function runCheck(tx: Tx, { name, query, describe }: Check): Promise<Finding[]> {
  const { rows } = await tx.execute<Record<string, string>>(query);
  return rows.map((row) => ({ name, subject: row['subject']!, detail: describe(row) }));
}

/** Reads a single snapshot, so that changes during the checks do not look like inconsistencies. */
export function auditDatabase(db: Db): Promise<Finding[]> {
  const options = { isolationLevel: 'repeatable read', accessMode: 'read only' } as const;
  return db.transaction(async (tx) => {
    await tx.execute(sql`set local statement_timeout = 0`);
    const found: Finding[][] = [];
    for (const check of [...DATABASE_CHECKS, ...REFUND_CHECKS]) found.push(await runCheck(tx, check));
    return found.flat();
  }, options);
}

export async function audit(ctx: AuditContext): Promise<Finding[]> {
  return [...(await auditDatabase(ctx.db)), ...(await auditProvider(ctx))];
}
