import { and, eq } from 'drizzle-orm';
import type { Review } from '../../src/contract/entities';
import { MAX_REVIEWS_PER_DAY } from '../../src/contract/limits';
import type { CallerAccount } from '../auth/access';
import { callerTransaction } from '../auth/callerTransaction';
import { recordAdminAct } from '../auth/recordAdminAct';
import type { Db, Tx } from '../db/database';
import { orders, reviews, users } from '../db/schema';
import { invalidField, ProblemError } from '../http/problems';
import { undoHit, type RateLimit } from '../http/rateLimit';
import { UUID } from '../http/textValidation';
import { readReviews } from './catalogQueries';
import type { CatalogContext } from './context';

const HOUR_SECONDS = 3600;
const DAY_SECONDS = 24 * HOUR_SECONDS;

function tooManyReviews(seconds: number): ProblemError {
  const hours = Math.ceil(seconds / HOUR_SECONDS);
  const wait = hours === 1 ? 'an hour' : `${hours} hours`;
  return new ProblemError(
    429,
    'rate_limited',
    `You can add ${MAX_REVIEWS_PER_DAY} reviews a day. Try again in ${wait}.`,
    { retryAfter: seconds },
  );
}

type NewReview = Omit<Review, '_id' | 'toolName'>;

interface ReviewContext extends Pick<CatalogContext, 'db' | 'catalog'> {
  limit: RateLimit;
}

async function requireBought(tx: Tx, author: CallerAccount, toolId: string): Promise<void> {
  const isPaid = and(eq(orders.ownerId, author.id), eq(orders.toolId, toolId), eq(orders.state, 'paid'));
  const [order] = UUID.test(toolId) ? await tx.select({ id: orders.id }).from(orders).where(isPaid).limit(1) : [];
  if (!order) throw invalidField('toolId', 'Choose a tool that you have bought and paid for.');
}

/** Adds a review, unless its author has reached the daily limit. Only stored reviews count. */
export async function addReview(
  { db, limit, catalog }: ReviewContext,
  author: CallerAccount,
  review: NewReview,
): Promise<Review> {
  const bucket = `reviews of a day ${author.id}`;
  const { ok, retryAfterSeconds } = await limit(bucket, MAX_REVIEWS_PER_DAY, DAY_SECONDS);
  if (!ok) throw tooManyReviews(retryAfterSeconds);
  const added = await callerTransaction(db, author, async (tx) => {
    if (review.toolId !== undefined) await requireBought(tx, author, review.toolId);
    const [row] = await tx
      .insert(reviews)
      .values({ ...review, authorId: author.id })
      .returning({ id: reviews.id });
    return (await readReviews(tx, [row!.id]))[0]!.row;
  }).catch(async (error: unknown) => {
    await undoHit(db, [bucket]);
    throw error;
  });
  await catalog.reportChange('reviews', added._id);
  return added;
}

/**
 * @param actor the admin who removes it, for the record. Undefined for the operator's command.
 * @returns whether the review existed
 */
export async function removeReview(db: Db, id: string, actor?: CallerAccount): Promise<boolean> {
  if (!UUID.test(id)) return false;
  return db.transaction(async (tx) => {
    const [removed] = await tx
      .delete(reviews)
      .where(eq(reviews.id, id))
      .returning({ name: reviews.name, authorId: reviews.authorId });
    if (removed && actor) await recordAdminAct(tx, actor, { act: 'remove review', subject: id, detail: removed });
    return removed !== undefined;
  });
}

/** @returns how many were removed, or undefined if no user has this email */
export async function removeReviewsBy(db: Db, email: string): Promise<number | undefined> {
  const [author] = await db.select({ id: users.id }).from(users).where(eq(users.email, email));
  if (!author) return undefined;
  const { rowCount } = await db.delete(reviews).where(eq(reviews.authorId, author.id));
  return rowCount ?? 0;
}

/** The most bytes of reviews in the home page's HTML. This limit keeps the demo's home page below 300 KB. */
const MAX_REVIEW_BYTES_IN_HTML = 140_000;

/** The length of the longest escape sequences: `&quot;` in HTML, and a Unicode escape in JSON. */
const ESCAPED_BYTES = 6;
const ESCAPED = /[&<>"'\\\n\r\t]/g;

/** Each text is in the HTML twice: as an element and as data for hydration. */
function maxHtmlBytesOf(text: string): number {
  const escapes = text.match(ESCAPED)?.length ?? 0;
  return 2 * (Buffer.byteLength(text) + escapes * (ESCAPED_BYTES - 1));
}

/** @returns the first of the reviews, as many as fit into the home page's HTML */
export function selectHomePageReviews(newest: Review[]): Review[] {
  let bytes = 0;
  return newest.filter(({ name, description, img }) => {
    bytes += maxHtmlBytesOf(name) + maxHtmlBytesOf(description) + maxHtmlBytesOf(img);
    return bytes <= MAX_REVIEW_BYTES_IN_HTML;
  });
}
