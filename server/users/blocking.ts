import { eq, sql } from 'drizzle-orm';
import type { Db } from '../db/database';
import { users } from '../db/schema';
import { changeUser } from './roles';

/**
 * ID tokens contain the time of the sign-in in whole seconds, so a session that began within this second must end too.
 */
export const startOfNextSecond = (now: Date) => new Date((Math.floor(now.getTime() / 1000) + 1) * 1000);

/** Ends all access tokens, and the ID tokens of all sign-ins until now. */
export const endAllSessions = (now: Date) => ({
  sessionsValidFrom: sql`greatest(${users.sessionsValidFrom}, ${now.toISOString()}::timestamptz)`,
  signedOutAt: sql`greatest(${users.signedOutAt}, ${startOfNextSecond(now).toISOString()}::timestamptz)`,
});

export const signOutEverywhere = (db: Db, email: string, now: Date) =>
  changeUser(db, email, async (tx, { id }) => {
    await tx.update(users).set(endAllSessions(now)).where(eq(users.id, id));
    return 'done';
  });

export const block = (db: Db, email: string, now: Date) =>
  changeUser(db, email, async (tx, { id, blockedAt }, isLastAdmin) => {
    if (blockedAt) return 'already';
    if (isLastAdmin) return 'last_admin';
    await tx
      .update(users)
      .set({ blockedAt: now, ...endAllSessions(now) })
      .where(eq(users.id, id));
    return 'done';
  });

export const unblock = (db: Db, email: string) =>
  changeUser(db, email, async (tx, { id, blockedAt }) => {
    if (!blockedAt) return 'already';
    await tx.update(users).set({ blockedAt: null }).where(eq(users.id, id));
    return 'done';
  });
