import { sql } from 'drizzle-orm';
import type { Db } from '../db/database';
import type { Metrics } from '../http/metrics';

/** The states are literals, not parameters, so that PostgreSQL can use the partial indexes for them. */
const COUNTS = sql`select (select count(*) from mails where state = 'queued') as queued,
  (select count(*) from mails where state = 'failed') as failed`;

export function registerMailGauge(metrics: Metrics, db: Db): void {
  metrics.addGauge(
    'forgeline_mails',
    'Emails to customers that are queued, or that failed in the last 90 days.',
    async () => {
      const { rows } = await db.execute<{ queued: string; failed: string }>(COUNTS);
      const { queued, failed } = rows[0]!;
      return { queued: Number(queued), failed: Number(failed) };
    },
    'state',
  );
}
