import { sql } from 'drizzle-orm';
import type { Db } from '../db/database';
import { addressTransaction } from '../db/locks';

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
  email: string,
  { actorId, canBeUnverified }: PromotionOptions,
): Promise<PromotionResult | undefined> {
  const statement = sql`
    with previous as (
      select id, email, role, role = 'member' and (email_verified or ${canBeUnverified}::boolean) as is_promoted
      from users where email = ${email} for update
    ),
    promoted as (update users set role = 'admin' from previous where users.id = previous.id and is_promoted),
    recorded as (
      insert into promotions (actor_id, target_id, role)
      select ${actorId}::text, id, 'admin' from previous where is_promoted
    )
    select id, email, case when is_promoted then 'admin' else role end as role, is_promoted as changed from previous`;
  const { rows } = await addressTransaction(db, email, (tx) => tx.execute<PromotionResult & Row>(statement));
  return rows[0];
}

/**
 * Selects the user with this email as `target`. Selects the same user as `allowed`, unless they are an admin and no
 * other admin could sign in. Locks the rows of all admins, because otherwise two concurrent changes could remove the
 * last two.
 */
export const allowedUnlessLastAdmin = (email: string) => sql`
  admins as (select id, email, blocked_at from users where role = 'admin' order by id for update),
  target as (
    select id, role, blocked_at, cardinality(array_remove(able_ids, users.id)) > 0 as has_others
    from users, (
      select coalesce(array_agg(id) filter (where blocked_at is null and email is not null), '{}') as able_ids from admins
    ) as locked
    where email = ${email} for update of users
  ),
  allowed as (select id, role from target where role = 'member' or has_others)`;

export type DemotionOutcome = 'done' | 'unknown' | 'not_admin' | 'last_admin';

export async function removeAdmin(db: Db, email: string): Promise<DemotionOutcome> {
  const statement = sql`
    with ${allowedUnlessLastAdmin(email)},
    changed as (update users set role = 'member' from allowed where users.id = allowed.id),
    recorded as (
      insert into promotions (target_id, role) select id, 'member' from allowed where role = 'admin'
    )
    select role, exists (select from allowed) as "isAllowed" from target`;
  const { rows } = await addressTransaction(db, email, (tx) =>
    tx.execute<{ role: string; isAllowed: boolean }>(statement),
  );
  const [user] = rows;
  if (!user) return 'unknown';
  if (!user.isAllowed) return 'last_admin';
  return user.role === 'member' ? 'not_admin' : 'done';
}
