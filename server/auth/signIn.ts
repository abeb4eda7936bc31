import { and, eq, isNull, ne } from 'drizzle-orm';
import type { Tx } from '../db/database';
import { users } from '../db/schema';
import type { Deps } from '../deps';
import { normalizeEmail } from './emailAddress';
import { accountBlocked, emailLookalike, emailTaken, tokenInvalid } from '../http/problems';
import { databaseErrorOf, retried } from '../db/retryConflicts';
import type { ProvenIdentity } from './identityProvider';
import { looksLike, mayLookAlike } from './lookalikes';
import { runSignIn, type RoleChange, type SignInOptions, type SignInOutcome } from './signInStatement';

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
  const { former, roleChanges } = await retried(() =>
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
  const outcome = await retried(() => runSignIn(deps.db, person, options));
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
