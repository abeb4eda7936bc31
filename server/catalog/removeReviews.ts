import { eq } from 'drizzle-orm';
import type { Db } from '../db/database';
import { reviews, users } from '../db/schema';
import { UUID } from '../http/textValidation';

/** @returns whether there was such a review. */
export async function removeReview(db: Db, id: string): Promise<boolean> {
  if (!UUID.test(id)) return false;
  const { rowCount } = await db.delete(reviews).where(eq(reviews.id, id));
  return rowCount === 1;
}

/** @returns how many were removed, or undefined when no user has this email. */
export async function removeReviewsBy(db: Db, email: string): Promise<number | undefined> {
  const [author] = await db.select({ id: users.id }).from(users).where(eq(users.email, email));
  if (!author) return undefined;
  const { rowCount } = await db.delete(reviews).where(eq(reviews.authorId, author.id));
  return rowCount ?? 0;
}
