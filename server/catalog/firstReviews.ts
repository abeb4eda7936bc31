import type { Review } from '../../src/contract/entities';
import { REVIEWS_IN_HTML } from '../../src/contract/limits';
import type { Shelf } from './cachedList';

/** Keeps the home page of the demo below 300 KB, even with long reviews full of characters that are escaped. */
const MOST_BYTES = 160_000;

/** Each of `& < > " '` takes at most six bytes as an HTML entity or as a JSON escape. */
const ESCAPED_BYTES = 6;
const ESCAPED = /[&<>"'\\\n\r\t]/g;

/** At most what a text takes in the HTML: once as an element, once as data. */
function bytesOf(text: string): number {
  const escapes = text.match(ESCAPED)?.length ?? 0;
  return 2 * (Buffer.byteLength(text) + escapes * (ESCAPED_BYTES - 1));
}

/** The newest reviews that the home page's HTML has. */
export function firstReviews(reviews: Shelf<Review>): Review[] {
  let bytes = 0;
  return reviews.first(REVIEWS_IN_HTML).filter(({ name, description, img }) => {
    bytes += bytesOf(name) + bytesOf(description) + bytesOf(img);
    return bytes <= MOST_BYTES;
  });
}
