import { sql } from 'drizzle-orm';
import type { Db } from '../db/database';
import { addressTransaction } from '../db/locks';
import { allowedUnlessLastAdmin } from './roles';

export type BlockOutcome = 'done' | 'unknown' | 'last_admin' | 'already';

/** SQL for `update users`: ends access tokens issued before `now`, and ID tokens of any sign-in before `until`. */
const endSessionsSql = (now: Date, until: Date) => sql`
  sessions_valid_from = greatest(sessions_valid_from, ${now.toISOString()}::timestamptz),
  signed_out_at = greatest(signed_out_at, ${until.toISOString()}::timestamptz)`;

/**
 * ID tokens contain the time of the sign-in in whole seconds, so a session that began within this second must end too.
 */
export const startOfNextSecond = (now: Date) => new Date((Math.floor(now.getTime() / 1000) + 1) * 1000);

/** @returns false when no user has this email */
export async function signOutEverywhere(db: Db, email: string, now: Date): Promise<boolean> {
  const changes = endSessionsSql(now, startOfNextSecond(now));
  const statement = sql`update users set ${changes} where email = ${email}`;
  const { rowCount } = await addressTransaction(db, email, (tx) => tx.execute(statement));
  return rowCount !== 0;
}

export async function block(db: Db, email: string, now: Date): Promise<BlockOutcome> {
  const statement = sql`
    with ${allowedUnlessLastAdmin(email)},
    changed as (
      update users set blocked_at = coalesce(blocked_at, ${now.toISOString()}::timestamptz),
        ${endSessionsSql(now, startOfNextSecond(now))}
      from allowed where users.id = allowed.id returning users.id
    )
    select blocked_at is not null as blocked, exists (select from changed) as changed from target`;
  const { rows } = await addressTransaction(db, email, (tx) =>
    tx.execute<{ blocked: boolean; changed: boolean }>(statement),
  );
  const [user] = rows;
  if (!user) return 'unknown';
  if (user.blocked) return 'already';
  return user.changed ? 'done' : 'last_admin';
}

export async function unblock(db: Db, email: string): Promise<BlockOutcome> {
  const statement = sql`
    with previous as (select id, blocked_at from users where email = ${email} for update),
    changed as (update users set blocked_at = null from previous where users.id = previous.id)
    select blocked_at is not null as blocked from previous`;
  const { rows } = await addressTransaction(db, email, (tx) => tx.execute<{ blocked: boolean }>(statement));
  const [user] = rows;
  if (!user) return 'unknown';
  return user.blocked ? 'done' : 'already';
}
