import { sql } from 'drizzle-orm';
import type { Db } from '../db/database';
import { allowedUnlessLastAdmin } from './roles';

export type Blocking = 'done' | 'unknown' | 'last_admin' | 'already';

/** Ends every session: access tokens from `now` on, and ID tokens of any sign-in before `until`. */
const ended = (now: Date, until: Date) => sql`
  sessions_valid_from = greatest(sessions_valid_from, ${now.toISOString()}::timestamptz),
  signed_out_at = greatest(signed_out_at, ${until.toISOString()}::timestamptz)`;

/** ID tokens tell the sign-in by the second: what began within this second is over, too. */
export const nextSecond = (now: Date) => new Date((Math.floor(now.getTime() / 1000) + 1) * 1000);

/** @returns false when no user has this address */
export async function signOutEverywhere(db: Db, email: string, now: Date): Promise<boolean> {
  const { rowCount } = await db.execute(sql`update users set ${ended(now, nextSecond(now))} where email = ${email}`);
  return rowCount !== 0;
}

export async function block(db: Db, email: string, now: Date): Promise<Blocking> {
  const { rows } = await db.execute<{ blocked: boolean; changed: boolean }>(sql`
    with ${allowedUnlessLastAdmin(email)},
    changed as (
      update users set blocked_at = coalesce(blocked_at, ${now.toISOString()}::timestamptz), ${ended(now, nextSecond(now))}
      from allowed where users.id = allowed.id returning users.id
    )
    select blocked_at is not null as blocked, exists (select from changed) as changed from target`);
  const [found] = rows;
  if (!found) return 'unknown';
  if (found.blocked) return 'already';
  return found.changed ? 'done' : 'last_admin';
}

export async function unblock(db: Db, email: string): Promise<Blocking> {
  const { rows } = await db.execute<{ blocked: boolean }>(sql`
    with before as (select id, blocked_at from users where email = ${email} for update),
    changed as (update users set blocked_at = null from before where users.id = before.id)
    select blocked_at is not null as blocked from before`);
  const [found] = rows;
  if (!found) return 'unknown';
  return found.blocked ? 'done' : 'already';
}
