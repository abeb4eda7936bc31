import { and, desc, eq, isNotNull, isNull } from 'drizzle-orm';
import type { Db, Tx } from '../db/database';
import { addressTransaction } from '../db/locks';
import { promotions, users } from '../db/schema';

type User = typeof users.$inferSelect;
type Role = User['role'];

/**
 * Changes the user who has this email now. First locks the rows of all admins who can sign in, because otherwise two
 * concurrent changes could remove the last two.
 */
export const changeUser = <T>(
  db: Db,
  email: string,
  change: (tx: Tx, user: User, isLastAdmin: boolean) => Promise<T>,
): Promise<T | 'unknown'> =>
  addressTransaction(db, email, async (tx) => {
    const admins = await tx
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.role, 'admin'), isNull(users.blockedAt), isNotNull(users.email)))
      .orderBy(users.id)
      .for('update');
    const [user] = await tx.select().from(users).where(eq(users.email, email)).for('update');
    if (!user) return 'unknown';
    return change(tx, user, user.role === 'admin' && admins.every(({ id }) => id === user.id));
  });

/** @returns undefined if no user has this email */
export async function readRole(db: Db, email: string): Promise<Role | undefined> {
  const [user] = await db.select({ role: users.role }).from(users).where(eq(users.email, email));
  return user?.role;
}

/** @param actorId the admin who changes the role, or null for the operator */
async function changeRole(tx: Tx, targetId: string, role: Role, actorId: string | null): Promise<void> {
  await tx.update(users).set({ role }).where(eq(users.id, targetId));
  await tx.insert(promotions).values({ actorId, targetId, role });
}

interface Promotion {
  /** Still a `member` if the user could not be made an admin, because the email is not verified. */
  user: User;
  /** Whether this call made the user an admin. */
  changed: boolean;
}

/** Makes a user an admin and records who did it. */
export const promote = (
  db: Db,
  email: string,
  { actorId, canBeUnverified }: { actorId: string | null; canBeUnverified: boolean },
) =>
  changeUser(db, email, async (tx, user): Promise<Promotion> => {
    if (user.role === 'admin' || !(user.emailVerified || canBeUnverified)) return { user, changed: false };
    await changeRole(tx, user.id, 'admin', actorId);
    return { user: { ...user, role: 'admin' }, changed: true };
  });

export const removeAdmin = (db: Db, email: string) =>
  changeUser(db, email, async (tx, { id, role }, isLastAdmin) => {
    if (role === 'member') return 'not_admin';
    if (isLastAdmin) return 'last_admin';
    await changeRole(tx, id, 'member', null);
    return 'done';
  });

/** Takes back the last change of a user's role, if it is a promotion by this admin. */
export const undoPromotion = (db: Db, email: string, actorId: string) =>
  changeUser(db, email, async (tx, { id, role }, isLastAdmin) => {
    const [last] = await tx
      .select({ actorId: promotions.actorId })
      .from(promotions)
      .where(eq(promotions.targetId, id))
      .orderBy(desc(promotions.id))
      .limit(1);
    if (last?.actorId !== actorId) return 'not_promoter';
    if (role === 'member') return { id, changed: false };
    if (isLastAdmin) return 'last_admin';
    await changeRole(tx, id, 'member', actorId);
    return { id, changed: true };
  });
