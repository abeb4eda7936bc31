import { and, eq, isNull, ne, sql } from 'drizzle-orm';
import type { Tx, Db } from '../db/database';
import { users } from '../db/schema';
import type { Deps } from '../deps';
import { normalizeEmail } from './emailAddress';
import { accountBlocked, emailTaken, tokenInvalid } from '../http/problems';
import { databaseErrorOf, withTransactionRetry } from '../db/retryConflicts';
import type { VerifiedIdentity } from './identityProvider';

const DAY_MS = 24 * 3_600_000;

/**
 * `takeover` means that the email or the account would change its owner. Only `takeOver` may do that, because it
 * deletes orders in the same transaction.
 */
type RefusalReason = 'blocked' | 'session ended' | 'takeover';

interface SignInOptions {
  /** Whether ADMIN_EMAILS names this email. */
  isAppointedAdmin: boolean;
  /** The user who has this email in the shop, if the identity provider has deleted their account. */
  deletedHolderId?: string;
  /**
   * Whether this call may take the email from another user, or the account from whoever signed up without proving its
   * email. Only `takeOver` may.
   */
  canTakeOver: boolean;
  now: Date;
}

interface RoleChange {
  targetId: string;
  role: 'member' | 'admin';
}

interface SignInOutcome {
  reasons: RefusalReason[];
  roleChanges: RoleChange[];
  /**
   * Users whose unpaid orders must be deleted: the former holder, and this user if the account is now Google's. Before
   * that, an impostor may have placed this user's orders.
   */
  formerOwnerIds: string[];
}

/**
 * Signs a user in with one statement, so that concurrent sign-ins never see a partial result. The `holder` is another
 * user with the same email, who loses it in these cases:
 *
 * - The user who signs in has verified the email, and the holder never did.
 * - The holder is an unverified member whose account was deleted at the provider.
 * - The holder is an unverified member who has not signed in for a day and has no paid order.
 *
 * The user's older access tokens are revoked when the provider has ended the user's sessions, or when an account that
 * never proved its email becomes one of Google's. Then the profile is deleted too and the reviews lose their author,
 * because an impostor may have written them. Users who prove their email by a mailed link keep everything.
 *
 * `saved` reads `released` and `refusals`, so that PostgreSQL evaluates these before it changes the user's row. They
 * depend on `previous` and `holder`, which lock rows. A lock skips rows that the same statement has already changed.
 */
const signInStatement = (person: VerifiedIdentity, options: SignInOptions) => {
  const { isAppointedAdmin, deletedHolderId, canTakeOver, now } = options;
  const { uid, email, emailVerified, isLinkedToGoogle, displayName, sessionsEndedAt } = person;
  const ended = sessionsEndedAt && new Date(Math.min(sessionsEndedAt.getTime(), now.getTime())).toISOString();
  const [at, dayAgo] = [now.toISOString(), new Date(now.getTime() - DAY_MS).toISOString()];
  const authTime = sql`${person.authTime.toISOString()}::timestamptz`;
  return sql`
    with previous as (
      select role, email_verified, blocked_at, signed_out_at from users where id = ${uid} for update
    ),
    newly_google as (
      select from previous where not email_verified and ${emailVerified && isLinkedToGoogle}::boolean
    ),
    holder as (
      select id, role from users
      where email = ${email} and id <> ${uid} and not email_verified and blocked_at is null and (
        ${emailVerified}::boolean or role = 'member' and (
          id = ${deletedHolderId ?? null}::text or signed_in_at <= ${dayAgo}::timestamptz and not exists (
            select from orders where owner_id = users.id and state = 'paid')))
      for update
    ),
    refusals as (
      select 'blocked' as reason from previous where blocked_at is not null
      union all select 'blocked' from users where email = ${email} and id <> ${uid} and blocked_at is not null
      union all select 'session ended' from previous where ${authTime} < signed_out_at
      union all select 'session ended' from ended_sessions
        where user_id = ${uid} and auth_time = ${authTime} and auth_time < date_trunc('second', ended_at)
      union all select 'takeover' where not ${canTakeOver}::boolean
        and (exists (select from newly_google) or exists (select from holder))
    ),
    released as (
      update users set email = null, role = 'member' from holder
      where users.id = holder.id and not exists (select from refusals) returning users.id, holder.role
    ),
    saved as (
      insert into users (id, email, email_verified, display_name, role, signed_in_at)
      select ${uid}, ${email}, ${emailVerified}::boolean, ${displayName},
        case when ${isAppointedAdmin}::boolean then 'admin' else 'member' end, ${at}::timestamptz
      where (select count(*) from released) >= 0 and not exists (select from refusals)
      on conflict (id) do update set
        email = excluded.email,
        email_verified = excluded.email_verified,
        display_name = excluded.display_name,
        role = case when excluded.role = 'admin' then 'admin' else users.role end,
        signed_in_at = excluded.signed_in_at,
        sessions_valid_from = greatest(
          users.sessions_valid_from,
          ${ended}::timestamptz,
          case when exists (select from newly_google) then ${at}::timestamptz end
        )
      returning id, role
    ),
    deleted_profiles as (
      delete from profiles where user_id in (select id from saved) and exists (select from newly_google)
    ),
    anonymized_reviews as (
      update reviews set author_id = null
      where author_id in (select id from saved) and exists (select from newly_google)
    ),
    role_changes as (
      insert into promotions (target_id, role)
      select id, 'admin' from saved
      where ${isAppointedAdmin}::boolean and not exists (select from previous where role = 'admin')
      union all select id, 'member' from released where role = 'admin'
      returning target_id as "targetId", role
    )
    select (select coalesce(json_agg(role_changes), '[]') from role_changes) as "roleChanges",
      array(select reason from refusals) as reasons,
      array(
        select id from released union all select id from saved where exists (select from newly_google)
      ) as "formerOwnerIds"`;
};

async function executeSignIn(db: Db | Tx, person: VerifiedIdentity, options: SignInOptions): Promise<SignInOutcome> {
  const { rows } = await db.execute<SignInOutcome & Record<string, unknown>>(signInStatement(person, options));
  return rows[0]!;
}

type User = typeof users.$inferSelect;

/** The effects of a sign-in on other modules, which this module must not import. */
export interface SignInEffects {
  /** Receives each changed role after the change was committed. */
  onRoleChange(change: RoleChange): void;
  /** Deletes the unpaid orders of former holders of the email. */
  formerOrders: {
    deleteInTransaction(tx: Tx, ownerIds: string[]): Promise<void>;
    deleteAfterCommit(ownerIds: string[]): Promise<void>;
  };
}

interface SignInContext extends SignInEffects {
  deps: Deps;
  person: VerifiedIdentity;
}

const adminEmailsOf = ({ settings }: Deps) => settings.adminEmails.map((address) => normalizeEmail(address));

/**
 * The email must be verified. Otherwise anyone could sign up with an admin's address. The demo's embedded identity is
 * exempt, because most demos have no mail server that could send the link.
 */
function isAppointed(deps: Deps, { email, emailVerified }: VerifiedIdentity): boolean {
  const { demo, identity } = deps.settings;
  return (emailVerified || (demo && identity.kind === 'embedded')) && adminEmailsOf(deps).includes(email);
}

function isEmailTaken(error: unknown): boolean {
  const { code, constraint } = databaseErrorOf(error);
  return code === '23505' && constraint === 'users_email_unique';
}

function throwIfRefused({ reasons }: SignInOutcome): void {
  if (reasons.includes('blocked')) throw accountBlocked();
  if (reasons.includes('session ended')) throw tokenInvalid();
}

/**
 * Gives the email or the account to this user. In the same transaction, the unpaid orders of
 * `formerOwnerIds` are deleted or marked for deletion.
 */
async function takeOver(context: SignInContext, options: SignInOptions): Promise<void> {
  const { deps, person, onRoleChange, formerOrders } = context;
  const { formerOwnerIds, roleChanges } = await withTransactionRetry(() =>
    deps.db.transaction(async (tx) => {
      const outcome = await executeSignIn(tx, person, { ...options, canTakeOver: true });
      throwIfRefused(outcome);
      await formerOrders.deleteInTransaction(tx, outcome.formerOwnerIds);
      return outcome;
    }),
  );
  roleChanges.forEach(onRoleChange);
  if (formerOwnerIds.length > 0) await formerOrders.deleteAfterCommit(formerOwnerIds);
}

async function signInOrTakeOver(context: SignInContext, deletedHolderId?: string): Promise<void> {
  const { deps, person, onRoleChange } = context;
  const isAppointedAdmin = isAppointed(deps, person);
  const options = { isAppointedAdmin, deletedHolderId, canTakeOver: false, now: deps.now() };
  const outcome = await withTransactionRetry(() => executeSignIn(deps.db, person, options));
  throwIfRefused(outcome);
  outcome.roleChanges.forEach(onRoleChange);
  if (outcome.reasons.includes('takeover')) await takeOver(context, options);
}

/** @returns the id of the user who has this email, if the provider has no account with this id and email anymore */
async function findDeletedHolder({ deps, person }: SignInContext): Promise<string | undefined> {
  const { db, identity } = deps;
  const { uid, email } = person;
  const canLoseEmail = and(eq(users.emailVerified, false), eq(users.role, 'member'), isNull(users.blockedAt));
  const [holder] = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.email, email), ne(users.id, uid), canLoseEmail));
  if (!holder || !identity.hasAccount) return undefined;
  return (await identity.hasAccount(holder.id, email)) ? undefined : holder.id;
}

export async function signIn(deps: Deps, person: VerifiedIdentity, effects: SignInEffects): Promise<User> {
  const context = { deps, person, ...effects };
  const rethrowAsProblem = (error: unknown): never => {
    throw isEmailTaken(error) ? emailTaken() : error;
  };
  await signInOrTakeOver(context).catch(async (error: unknown) => {
    const deletedHolderId = isEmailTaken(error) ? await findDeletedHolder(context) : undefined;
    return deletedHolderId === undefined
      ? rethrowAsProblem(error)
      : signInOrTakeOver(context, deletedHolderId).catch(rethrowAsProblem);
  });
  const [user] = await deps.db.select().from(users).where(eq(users.id, person.uid));
  return user!;
}
