import { eq, sql } from 'drizzle-orm';
import type { Db } from '../db/open';
import { users } from '../db/schema';
import { normaliseEmail } from '../email';
import { emailTaken } from '../errors';
import type { ProvenIdentity } from '../providers/identity';
import type { Settings } from '../settings';

type Policy = Pick<Settings, 'adminEmails' | 'demo'>;
type User = typeof users.$inferSelect;

const EMAIL_IS_TAKEN = { code: '23505', constraint: 'users_email_unique' };

/** ADMIN_EMAILS counts for an address that is proven, or in the demo. */
const isAppointed = ({ email, emailVerified }: ProvenIdentity, { adminEmails, demo }: Policy) =>
  (emailVerified || demo) && adminEmails.some((address) => normaliseEmail(address) === email);

function takenOr(error: unknown): never {
  const { code, constraint } = (error as { cause?: { code?: string; constraint?: string } }).cause ?? {};
  throw code === EMAIL_IS_TAKEN.code && constraint === EMAIL_IS_TAKEN.constraint ? emailTaken() : error;
}

/**
 * One statement, so that two sign-ins never see each other halfway: a proven address is taken from whoever holds it
 * unproven, the row is made or renewed, and when its address has become proven, or its sessions have ended at the
 * provider, older tokens end here too. What a stranger may have written in the profile before that goes.
 * `saved` looks at the others first, since a row that a statement has changed can no longer be locked by it.
 */
const statement = (person: ProvenIdentity, appointed: boolean, now: Date) => {
  const { uid, email, emailVerified, displayName } = person;
  const ended = person.sessionsEndedAt && new Date(Math.min(person.sessionsEndedAt.getTime(), now.getTime()));
  return sql`
    with before as (select role, email_verified from users where id = ${uid} for update),
    turned as (select from before where not email_verified and ${emailVerified}::boolean),
    holder as (
      select id, role from users
      where email = ${email} and id <> ${uid} and not email_verified and ${emailVerified}::boolean
      for update
    ),
    freed as (update users set email = null, role = 'member' from holder where users.id = holder.id returning users.id),
    saved as (
      insert into users (id, email, email_verified, display_name, role)
      select ${uid}, ${email}, ${emailVerified}::boolean, ${displayName},
        case when ${appointed}::boolean then 'admin' else 'member' end
      where (select count(*) from before) + (select count(*) from freed) >= 0
      on conflict (id) do update set
        email = excluded.email,
        email_verified = excluded.email_verified,
        display_name = excluded.display_name,
        role = case when excluded.role = 'admin' then 'admin' else users.role end,
        sessions_valid_from = greatest(
          users.sessions_valid_from,
          ${ended?.toISOString() ?? null}::timestamptz,
          case when excluded.email_verified and not users.email_verified then ${now.toISOString()}::timestamptz end
        )
      returning id, role
    ),
    cleared as (delete from profiles where user_id = ${uid} and exists (select from turned)),
    recorded as (
      insert into promotions (target_id, role)
      select id, 'admin' from saved
      where ${appointed}::boolean and not exists (select from before where role = 'admin')
      union all select id, 'member' from holder where role = 'admin'
    )
    select id from saved`;
};

export async function signIn(db: Db, person: ProvenIdentity, policy: Policy, now: Date): Promise<User> {
  await db.execute(statement(person, isAppointed(person, policy), now)).catch(takenOr);
  const [user] = await db.select().from(users).where(eq(users.id, person.uid));
  return user!;
}
