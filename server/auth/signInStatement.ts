import { sql } from 'drizzle-orm';
import type { Db, Tx } from '../db/database';
import type { ProvenIdentity } from './identityProvider';

const DAY_MS = 24 * 3_600_000;

/** Blocked by the operator. Over: this session has ended. Takeover: an address changes hands, and `takeOver` is not set. */
export type Reason = 'blocked' | 'over' | 'takeover';

export interface SignInOptions {
  /** ADMIN_EMAILS names this address. */
  appointed: boolean;
  /** The holder of the address that no longer exists at the provider. */
  gone?: string;
  takeOver: boolean;
  now: Date;
}

export interface RoleChange {
  targetId: string;
  role: 'member' | 'admin';
}

export interface SignInOutcome {
  reasons: Reason[];
  roleChanges: RoleChange[];
  /** Those whose orders under this address go: a former holder, or this person before the address was verified. */
  former: string[];
}

/**
 * One statement, so that two sign-ins never see each other's half. A verified address is taken from a holder who never
 * verified it. A holder who is gone, or has not signed in for a day and has paid nothing, loses it to anyone. The row is
 * inserted or updated. When its address becomes verified, or its sessions have ended at the provider, older tokens end
 * here too, and what a stranger wrote under this address no longer belongs to it.
 * `saved` reads the others first, because a statement cannot lock a row that it has already changed.
 */
const statement = (person: ProvenIdentity, { appointed, gone, takeOver, now }: SignInOptions) => {
  const { uid, email, emailVerified, displayName, sessionsEndedAt } = person;
  const ended = sessionsEndedAt && new Date(Math.min(sessionsEndedAt.getTime(), now.getTime())).toISOString();
  const [at, dayAgo] = [now.toISOString(), new Date(now.getTime() - DAY_MS).toISOString()];
  const authTime = sql`${person.authTime.toISOString()}::timestamptz`;
  return sql`
    with before as (
      select role, email_verified, blocked_at, signed_out_at from users where id = ${uid} for update
    ),
    turned as (select from before where not email_verified and ${emailVerified}::boolean),
    holder as (
      select id, role from users
      where email = ${email} and id <> ${uid} and not email_verified and blocked_at is null and (
        ${emailVerified}::boolean or role = 'member' and (
          id = ${gone ?? null}::text or signed_in_at <= ${dayAgo}::timestamptz and not exists (
            select from orders where owner_id = users.id and state = 'paid')))
      for update
    ),
    refused as (
      select 'blocked' as reason from before where blocked_at is not null
      union all select 'blocked' from users where email = ${email} and id <> ${uid} and blocked_at is not null
      union all select 'over' from before where ${authTime} < signed_out_at
      union all select 'over' from ended_sessions
        where user_id = ${uid} and auth_time = ${authTime} and auth_time < date_trunc('second', ended_at)
      union all select 'takeover' where not ${takeOver}::boolean
        and (exists (select from turned) or exists (select from holder))
    ),
    freed as (
      update users set email = null, role = 'member' from holder
      where users.id = holder.id and not exists (select from refused) returning users.id, holder.role
    ),
    saved as (
      insert into users (id, email, email_verified, display_name, role, signed_in_at)
      select ${uid}, ${email}, ${emailVerified}::boolean, ${displayName},
        case when ${appointed}::boolean then 'admin' else 'member' end, ${at}::timestamptz
      where (select count(*) from freed) >= 0 and not exists (select from refused)
      on conflict (id) do update set
        email = excluded.email,
        email_verified = excluded.email_verified,
        display_name = excluded.display_name,
        role = case when excluded.role = 'admin' then 'admin' else users.role end,
        signed_in_at = excluded.signed_in_at,
        sessions_valid_from = greatest(
          users.sessions_valid_from,
          ${ended}::timestamptz,
          case when excluded.email_verified and not users.email_verified then ${at}::timestamptz end
        )
      returning id, role
    ),
    cleared as (delete from profiles where user_id in (select id from saved) and exists (select from turned)),
    disowned as (
      update reviews set author_id = null where author_id in (select id from saved) and exists (select from turned)
    ),
    recorded as (
      insert into promotions (target_id, role)
      select id, 'admin' from saved
      where ${appointed}::boolean and not exists (select from before where role = 'admin')
      union all select id, 'member' from freed where role = 'admin'
      returning target_id as "targetId", role
    )
    select (select coalesce(json_agg(recorded), '[]') from recorded) as "roleChanges",
      array(select reason from refused) as reasons,
      array(select id from freed union all select id from saved where exists (select from turned)) as former`;
};

export async function runSignIn(db: Db | Tx, person: ProvenIdentity, options: SignInOptions): Promise<SignInOutcome> {
  const { rows } = await db.execute<SignInOutcome & Record<string, unknown>>(statement(person, options));
  return rows[0]!;
}
