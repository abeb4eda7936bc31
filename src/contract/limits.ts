/** Every number of A.5 and A.9, and the bounds that C adds to them. */
export const MIN_PASSWORD_LENGTH = 6;
export const TOAST_MS = 5000;
export const CHUNK_LOAD_TIMEOUT_MS = 120_000;

export const STATS = { tools: 80, revenueMillions: 110, clients: 150, reviewsThousands: 59 } as const;

export const KEEP_UNUSED_SECONDS = 300;
export const RETRIES = 3;
export const RETRY_FIRST_MS = 1000;
export const RETRY_CAP_MS = 30_000;

export const ACCESS_TOKEN_SECONDS = 3600;
export const ADMIN_TOKEN_SECONDS = 600;
export const IDEMPOTENCY_HOURS = 24;

export const MAX_PRICE = 1_000_000;
export const MAX_QUANTITY = 1_000_000;
/** The most that the payment provider can charge, in whole dollars. */
export const MAX_TOTAL = 999_999;
/** So many cards may be declined for one payment; then it ends, and another may begin an hour later. */
export const MAX_DECLINES = 10;
/** How many orders without a price one customer can have. */
export const MAX_UNPRICED_ORDERS = 100;
export const MIN_RATING = 1;
export const MAX_RATING = 5;
export const CENTS = 100;
export const CURRENCY = 'usd';

export const TEXT = {
  name: 120,
  email: 254,
  description: 2000,
  address: 300,
  phone: 40,
  education: 300,
  link: 2048,
} as const;

/** How many tools stand in the HTML of the home page; the rest are drawn when they come near. */
export const TOOLS_IN_HTML = 100;
/** The newest reviews in that HTML. The page loads the others once it is hydrated. */
export const REVIEWS_IN_HTML = 24;
/** Accepted reviews of one customer within 24 hours. */
export const REVIEWS_PER_DAY = 5;
