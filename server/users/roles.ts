import { sql } from 'drizzle-orm';
import type { Db } from '../db/database';

type Row = Record<string, unknown>;

export interface PromotionResult {
  id: string;
  email: string;
  /** `member` if the user could not be made an admin, because the email is not verified. */
  role: 'member' | 'admin';
  /** Whether this call made the user an admin. */
  changed: boolean;
}

interface PromotionOptions {
  /** The admin who promotes the user, or null for the operator. */
  actorId: string | null;
  canBeUnverified: boolean;
}

/**
 * Makes a user an admin and records who did it. Nothing changes for a user who is an admin already.
 * @returns undefined if no user has this email
 */
export async function promote(
  db: Db,
  email: string | undefined,
  { actorId, canBeUnverified }: PromotionOptions,
): Promise<PromotionResult | undefined> {
  const { rows } = await db.execute<PromotionResult & Row>(sql`
    with previous as (
      select id, email, role, role = 'member' and (email_verified or ${canBeUnverified}::boolean) as is_promoted
      from users where email = ${email ?? ''} for update
    ),
    promoted as (update users set role = 'admin' from previous where users.id = previous.id and is_promoted),
    recorded as (
      insert into promotions (actor_id, target_id, role)
      select ${actorId}::text, id, 'admin' from previous where is_promoted
    )
    select id, email, case when is_promoted then 'admin' else role end as role, is_promoted as changed from previous`);
  return rows[0];
}

/**
 * Selects the user with this email as `target`. Selects the same user as `allowed`, unless they are an admin and no
 * other admin is unblocked. Locks the rows of all admins, because otherwise two concurrent changes could remove the
 * last two.
 */
export const allowedUnlessLastAdmin = (email: string) => sql`
  admins as (select id, blocked_at from users where role = 'admin' order by id for update),
  target as (
    select id, role, blocked_at, cardinality(array_remove(unblocked_ids, users.id)) > 0 as has_others
    from users, (
      select coalesce(array_agg(id) filter (where blocked_at is null), '{}') as unblocked_ids from admins
    ) as locked
    where email = ${email} for update of users
  ),
  allowed as (select id, role from target where role = 'member' or has_others)`;

export type DemotionOutcome = 'done' | 'unknown' | 'not_admin' | 'last_admin';

const demotionStatement = (email: string, change: 'role' | 'email') => sql`
  with ${allowedUnlessLastAdmin(email)},
  changed as (
    update users set role = 'member', email = ${change === 'email' ? sql`null` : sql`users.email`}
    from allowed where users.id = allowed.id returning users.id
  ),
  recorded as (
    insert into promotions (target_id, role) select id, 'member' from allowed where role = 'admin'
  )
  select target.role, exists (select from changed) as changed from target`;

async function demote(db: Db, email: string, change: 'role' | 'email'): Promise<DemotionOutcome> {
  const { rows } = await db.execute<{ role: string; changed: boolean }>(demotionStatement(email, change));
  const [user] = rows;
  if (!user) return 'unknown';
  if (!user.changed) return 'last_admin';
  return change === 'role' && user.role === 'member' ? 'not_admin' : 'done';
}

export const removeAdmin = (db: Db, email: string) => demote(db, email, 'role');

/**
 * Takes the email from its user, who keeps the id and the orders. The email goes to the next user who signs in with it.
 */
export const releaseEmail = (db: Db, email: string) => demote(db, email, 'email');
