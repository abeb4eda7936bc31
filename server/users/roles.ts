import { sql } from 'drizzle-orm';
import type { Db } from '../db/open';

export interface Promoted {
  id: string;
  email: string;
  role: 'admin';
}

/** Makes an admin and records who did it; again for one who is changes nothing. Undefined: nobody has this address. */
export async function promote(
  db: Db,
  email: string | undefined,
  actorId: string | null,
): Promise<Promoted | undefined> {
  const { rows } = await db.execute<{ id: string; email: string; role: 'admin' }>(sql`
    with before as (select id, role from users where email = ${email ?? ''} for update),
    promoted as (
      update users set role = 'admin' from before where users.id = before.id
      returning users.id, users.email, users.role
    ),
    recorded as (
      insert into promotions (actor_id, target_id, role)
      select ${actorId}::text, id, 'admin' from before where role <> 'admin'
    )
    select id, email, role from promoted`);
  return rows[0];
}

export type Demotion = 'done' | 'unknown' | 'not_admin' | 'last_admin';

/** With every admin's row locked, two demotions at once cannot take away the last two. */
const demotion = (email: string, change: 'role' | 'address') => sql`
  with admins as (select id from users where role = 'admin' order by id for update),
  target as (
    select id, role, many from users, (select count(*) > 1 as many from admins) as locked
    where email = ${email} for update of users
  ),
  allowed as (select id, role from target where role = 'member' or many),
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

/** The holder keeps the id and the orders and loses the address, which whoever proves it next can have. */
export const releaseAddress = (db: Db, email: string) => demote(db, email, 'address');
