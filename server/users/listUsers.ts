import { and, asc, gt, isNotNull } from 'drizzle-orm';
import type { Db } from '../db/database';
import { users } from '../db/schema';
import { LIST_BATCH_SIZE, streamList } from '../http/jsonStream';
import { toListedUser } from './toUser';

const { id, email, role, emailVerified, position } = users;

/** Leaves out users without an email. It belongs to another user now. */
export function streamUsers(db: Db) {
  const readBatch = (after?: { position: number }) =>
    db
      .select({ id, email, role, emailVerified, position })
      .from(users)
      .where(and(isNotNull(email), after && gt(position, after.position)))
      .orderBy(asc(position))
      .limit(LIST_BATCH_SIZE);
  return streamList(readBatch, toListedUser);
}
