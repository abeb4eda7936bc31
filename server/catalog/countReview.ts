import { REVIEWS_PER_DAY } from '../../src/contract/limits';
import type { Deps } from '../deps';
import { Refusal } from '../http/problems';
import { undoHit } from '../http/rateLimit';

const HOUR_SECONDS = 3600;
const DAY_SECONDS = 24 * HOUR_SECONDS;

function tooManyReviews(seconds: number): Refusal {
  const hours = Math.ceil(seconds / HOUR_SECONDS);
  const wait = hours === 1 ? 'an hour' : `${hours} hours`;
  return new Refusal(429, 'rate_limited', `You can add ${REVIEWS_PER_DAY} reviews a day. Try again in ${wait}.`, {
    headers: { 'retry-after': String(seconds) },
  });
}

/** Stores one review of this author, unless they have stored as many as a day allows. A failed write does not count. */
export async function countReview<T>({ db, limit }: Deps, authorId: string, store: () => Promise<T>): Promise<T> {
  const bucket = `reviews of a day ${authorId}`;
  const { ok, retryAfterSeconds } = await limit(bucket, REVIEWS_PER_DAY, DAY_SECONDS);
  if (!ok) throw tooManyReviews(retryAfterSeconds);
  return store().catch(async (error: unknown) => {
    await undoHit(db, [bucket]);
    throw error;
  });
}
