import { eq, sql } from 'drizzle-orm';
import type { CallerAccount } from './access';
import type { Db } from '../db/database';
import { endedSessions, users } from '../db/schema';
import type { TokenFacts } from './accessTokens';

export async function endTokensBefore(db: Pick<Db, 'update'>, userId: string, at: Date): Promise<void> {
  await db
    .update(users)
    .set({ sessionsValidFrom: sql`greatest(${users.sessionsValidFrom}, ${at.toISOString()}::timestamptz)` })
    .where(eq(users.id, userId));
}

/** Ends the session to which this access token belongs. The user's other sessions continue. */
export async function endSession(
  db: Db,
  { id }: CallerAccount,
  { authTime, issuedAt }: TokenFacts,
  now: Date,
): Promise<void> {
  // A token issued by the previous version does not name its session. So all of the user's tokens up to this one are
  // revoked.
  if (!authTime) return endTokensBefore(db, id, new Date(issuedAt.getTime() + 1));
  await db
    .insert(endedSessions)
    .values({ userId: id, authTime, endedAt: now })
    .onConflictDoUpdate({
      target: [endedSessions.userId, endedSessions.authTime],
      set: { endedAt: sql`greatest(${endedSessions.endedAt}, excluded.ended_at)` },
    });
}
