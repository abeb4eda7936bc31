import { and, asc, gt, isNotNull } from 'drizzle-orm';
import type { Db } from '../db/database';
import { users } from '../db/schema';
import { BATCH, streamList } from '../http/jsonStream';
import { listedUser } from './shownUser';

const { id, email, role, emailVerified, position } = users;

/** Everybody who has an address, in the order in which they came. */
export function streamUsers(db: Db) {
  const next = (after?: { position: number }) =>
    db
      .select({ id, email, role, emailVerified, position })
      .from(users)
      .where(and(isNotNull(email), after && gt(position, after.position)))
      .orderBy(asc(position))
      .limit(BATCH);
  return streamList(next, listedUser);
}
