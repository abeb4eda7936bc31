import { eq, getTableColumns, or, sql } from 'drizzle-orm';
import type { Db, Tx } from '../db/database';
import { addressTransaction } from '../db/locks';
import { endedSessions, profiles, promotions, users } from '../db/schema';
import { earlier, later } from '../db/time';
import { accountBlocked, tokenInvalid } from '../http/problems';
import type { Settings } from '../settings/settings';
import { normalizeEmail } from './emailAddress';
import type { VerifiedIdentity } from './firebaseTokens';

type User = typeof users.$inferSelect;

interface SignInContext {
  db: Db;
  settings: Pick<Settings, 'demo' | 'exposed' | 'identity' | 'adminEmails'>;
  now: () => Date;
}

interface SignedIn {
  user: User;
  /** Whether this sign-in made the user an admin. */
  isPromoted: boolean;
}

/**
 * The email must be verified. Otherwise anyone could sign up with an admin's address. The embedded identity of a demo
 * that only this machine can reach is exempt, because most demos have no mail server that could send the link.
 */
function isAppointed(settings: SignInContext['settings'], person: VerifiedIdentity): boolean {
  const { demo, exposed, identity, adminEmails } = settings;
  const isTrusted = person.emailVerified || (demo && !exposed && identity.kind === 'embedded');
  return isTrusted && adminEmails.some((address) => normalizeEmail(address) === person.email);
}

/** Locks this person's row and that of another user who has the email, in the order of their ids. */
async function lockUsers(tx: Tx, { uid, email, authTime }: VerifiedIdentity) {
  const at = sql`${authTime.toISOString()}::timestamptz`;
  const hasSignedOut = sql<boolean>`(${users.signedOutAt} > ${at}) is true or exists (
    select from ${endedSessions} where ${endedSessions.userId} = ${users.id} and ${endedSessions.authTime} = ${at}
      and ${endedSessions.authTime} < date_trunc('second', ${endedSessions.endedAt}))`;
  const rows = await tx
    .select({ ...getTableColumns(users), hasSignedOut })
    .from(users)
    .where(or(eq(users.id, uid), eq(users.email, email)))
    .orderBy(users.id)
    .for('update', { of: users });
  return { previous: rows.find(({ id }) => id === uid), holder: rows.find(({ id }) => id !== uid) };
}

const EPOCH = new Date(0);

/**
 * Stores who has signed in. The email belongs to this person from now on. Another user who had it keeps everything else.
 *
 * A password account that never proved its email and becomes one of Google's may have been a stranger's. So its older
 * tokens end, and its profile is deleted.
 */
export function signIn({ db, settings, now }: SignInContext, person: VerifiedIdentity): Promise<SignedIn> {
  const { uid: id, email, emailVerified, isLinkedToGoogle, displayName, sessionsEndedAt } = person;
  const startedAt = now();
  return addressTransaction(db, email, async (tx) => {
    const { previous, holder } = await lockUsers(tx, person);
    if (previous?.blockedAt || holder?.blockedAt) throw accountBlocked();
    if (previous?.hasSignedOut) throw tokenInvalid();

    if (holder) await tx.update(users).set({ email: null }).where(eq(users.id, holder.id));

    const becomesGoogles = previous?.emailVerified === false && emailVerified && isLinkedToGoogle;
    if (becomesGoogles) await tx.delete(profiles).where(eq(profiles.userId, id));
    // The provider's clock may be ahead, but the token of this sign-in must be valid.
    const endedAt = becomesGoogles ? startedAt : earlier(startedAt, sessionsEndedAt ?? EPOCH);

    const isPromoted = previous?.role !== 'admin' && isAppointed(settings, person);
    const stored = {
      email,
      emailVerified,
      displayName,
      ...(isPromoted && { role: 'admin' as const }),
      ...(previous && { sessionsValidFrom: later(previous.sessionsValidFrom, endedAt) }),
    };
    const [user] = await tx
      .insert(users)
      .values({ id, ...stored })
      .onConflictDoUpdate({ target: users.id, set: stored })
      .returning();
    if (isPromoted) await tx.insert(promotions).values({ targetId: id, role: 'admin' });
    return { user: user!, isPromoted };
  });
}
