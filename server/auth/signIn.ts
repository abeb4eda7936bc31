import { and, eq, isNull, ne, sql } from 'drizzle-orm';
import type { Tx, Db } from '../db/database';
import { users } from '../db/schema';
import type { Deps } from '../deps';
import { normalizeEmail } from './emailAddress';
import { accountBlocked, emailLookalike, emailTaken, tokenInvalid } from '../http/problems';
import { databaseErrorOf, withTransactionRetry } from '../db/retryConflicts';
import type { ProvenIdentity } from './identityProvider';
import { looksLike, mayLookAlike } from './lookalikes';

const DAY_MS = 24 * 3_600_000;

/** Blocked by the operator. Over: this session has ended. Takeover: an address changes hands, and `takeOver` is not set. */
type Reason = 'blocked' | 'over' | 'takeover';

interface SignInOptions {
  /** ADMIN_EMAILS names this address. */
  appointed: boolean;
  /** The holder of the address that no longer exists at the provider. */
  gone?: string;
  takeOver: boolean;
  now: Date;
}

interface RoleChange {
  targetId: string;
  role: 'member' | 'admin';
}

interface SignInOutcome {
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

async function runSignIn(db: Db | Tx, person: ProvenIdentity, options: SignInOptions): Promise<SignInOutcome> {
  const { rows } = await db.execute<SignInOutcome & Record<string, unknown>>(statement(person, options));
  return rows[0]!;
}

type User = typeof users.$inferSelect;

/** What happens beside a sign-in, in other parts of the shop. */
export interface SignInEffects {
  /** Called for each role that the sign-in changed, once it is stored. */
  onRoleChange(change: RoleChange): void;
  /** The orders that a former holder of the address placed under it. */
  formerOrders: {
    drop(tx: Tx, owners: string[]): Promise<void>;
    /** After the commit. */
    finish(owners: string[]): Promise<void>;
  };
}

interface SignIn extends SignInEffects {
  deps: Deps;
  person: ProvenIdentity;
}

const adminEmailsOf = ({ settings }: Deps) => settings.adminEmails.map((address) => normalizeEmail(address));

/** ADMIN_EMAILS counts for a verified address. Only the demo's own identity service may leave it unverified. */
function isAppointed(deps: Deps, { email, emailVerified }: ProvenIdentity): boolean {
  const { demo, identity } = deps.settings;
  return (emailVerified || (demo && identity.kind === 'embedded')) && adminEmailsOf(deps).includes(email);
}

function isTaken(error: unknown): boolean {
  const { code, constraint } = databaseErrorOf(error);
  return code === '23505' && constraint === 'users_email_unique';
}

/** Nobody can pass for an admin by letters of another alphabet. */
async function refuseLookalike({ deps, person: { uid, email } }: SignIn): Promise<void> {
  if (!mayLookAlike(email) || adminEmailsOf(deps).includes(email)) return;
  const admins = await deps.db.select({ id: users.id, email: users.email }).from(users).where(eq(users.role, 'admin'));
  const known = [...admins.map((admin) => admin.email), ...adminEmailsOf(deps)];
  if (admins.some(({ id }) => id === uid)) return;
  if (known.some((address) => address && looksLike(email, address))) throw emailLookalike();
}

function refuse({ reasons }: SignInOutcome): void {
  if (reasons.includes('blocked')) throw accountBlocked();
  if (reasons.includes('over')) throw tokenInvalid();
}

/** The orders of the former holder go in the same transaction, or are marked in it for deletion. */
async function takeOver({ deps, person, onRoleChange, formerOrders }: SignIn, options: SignInOptions): Promise<void> {
  const { former, roleChanges } = await withTransactionRetry(() =>
    deps.db.transaction(async (tx) => {
      const outcome = await runSignIn(tx, person, { ...options, takeOver: true });
      refuse(outcome);
      await formerOrders.drop(tx, outcome.former);
      return outcome;
    }),
  );
  roleChanges.forEach(onRoleChange);
  if (former.length === 0) return;
  await formerOrders.finish(former);
}

async function enter(signing: SignIn, gone?: string): Promise<void> {
  const { deps, person, onRoleChange } = signing;
  const options = { appointed: isAppointed(deps, person), gone, takeOver: false, now: deps.now() };
  const outcome = await withTransactionRetry(() => runSignIn(deps.db, person, options));
  refuse(outcome);
  outcome.roleChanges.forEach(onRoleChange);
  if (outcome.reasons.includes('takeover')) await takeOver(signing, options);
}

/** The holder of this address whose account is gone, if the provider can be asked. */
async function goneHolder({ deps: { db, identity }, person: { uid, email } }: SignIn): Promise<string | undefined> {
  const mayLose = and(eq(users.emailVerified, false), eq(users.role, 'member'), isNull(users.blockedAt));
  const [holder] = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.email, email), ne(users.id, uid), mayLose));
  if (!holder || !identity.hasAccount) return undefined;
  return (await identity.hasAccount(holder.id, email)) ? undefined : holder.id;
}

export async function signIn(deps: Deps, person: ProvenIdentity, effects: SignInEffects): Promise<User> {
  const signing = { deps, person, ...effects };
  await refuseLookalike(signing);
  const takenOr = (error: unknown): never => {
    throw isTaken(error) ? emailTaken() : error;
  };
  await enter(signing).catch(async (error: unknown) => {
    const gone = isTaken(error) ? await goneHolder(signing) : undefined;
    return gone === undefined ? takenOr(error) : enter(signing, gone).catch(takenOr);
  });
  const [user] = await deps.db.select().from(users).where(eq(users.id, person.uid));
  return user!;
}
