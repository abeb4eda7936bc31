import { sql } from 'drizzle-orm';
import type { Db } from '../db/database';

type Row = Record<string, unknown>;

export interface Promoted {
  id: string;
  email: string;
  /** Still `member` for an address that is not verified, unless that is allowed. */
  role: 'member' | 'admin';
  /** Not an admin before. */
  changed: boolean;
}

interface Promotion {
  /** Null for the operator. */
  actorId: string | null;
  unverifiedToo: boolean;
}

/**
 * Makes an admin and records who did it. Nothing changes for somebody who is one.
 * @returns undefined when no user has this address
 */
export async function promote(
  db: Db,
  email: string | undefined,
  { actorId, unverifiedToo }: Promotion,
): Promise<Promoted | undefined> {
  const { rows } = await db.execute<Promoted & Row>(sql`
    with before as (
      select id, email, role, role = 'member' and (email_verified or ${unverifiedToo}::boolean) as rises
      from users where email = ${email ?? ''} for update
    ),
    promoted as (update users set role = 'admin' from before where users.id = before.id and rises),
    recorded as (
      insert into promotions (actor_id, target_id, role) select ${actorId}::text, id, 'admin' from before where rises
    )
    select id, email, case when rises then 'admin' else role end as role, rises as changed from before`);
  return rows[0];
}

/**
 * The user with this address, in `allowed` unless this is the last admin. With every admin's row locked, two changes at
 * once cannot take away the last two. A blocked admin does not count.
 */
export const allowedUnlessLastAdmin = (email: string) => sql`
  admins as (select id, blocked_at from users where role = 'admin' order by id for update),
  target as (
    select id, role, blocked_at, cardinality(array_remove(able, users.id)) > 0 as others
    from users, (select coalesce(array_agg(id) filter (where blocked_at is null), '{}') as able from admins) as locked
    where email = ${email} for update of users
  ),
  allowed as (select id, role from target where role = 'member' or others)`;

export type Demotion = 'done' | 'unknown' | 'not_admin' | 'last_admin';

const demotion = (email: string, change: 'role' | 'address') => sql`
  with ${allowedUnlessLastAdmin(email)},
  changed as (
    update users set role = 'member', email = ${change === 'address' ? sql`null` : sql`users.email`}
    from allowed where users.id = allowed.id returning users.id
  ),
  recorded as (
    insert into promotions (target_id, role) select id, 'member' from allowed where role = 'admin'
  )
  select target.role, exists (select from changed) as changed from target`;

async function demote(db: Db, email: string, change: 'role' | 'address'): Promise<Demotion> {
  const { rows } = await db.execute<{ role: string; changed: boolean }>(demotion(email, change));
  const [found] = rows;
  if (!found) return 'unknown';
  if (!found.changed) return 'last_admin';
  return change === 'role' && found.role === 'member' ? 'not_admin' : 'done';
}

export const removeAdmin = (db: Db, email: string) => demote(db, email, 'role');

/** The holder keeps the id and the orders. The next person who signs in with the address has it. */
export const releaseAddress = (db: Db, email: string) => demote(db, email, 'address');
