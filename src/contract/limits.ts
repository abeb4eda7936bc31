/** The numbers of sections A.5 and A.9 of the specification, and the limits that section C adds. */
export const MIN_PASSWORD_LENGTH = 6;
export const TOAST_MS = 5000;
export const CHUNK_LOAD_TIMEOUT_MS = 120_000;

export const HOME_PAGE_STATS = { tools: 80, revenueMillions: 110, clients: 150, reviewsThousands: 59 } as const;

export const KEEP_UNUSED_DATA_SECONDS = 300;
export const MAX_READ_RETRIES = 3;
export const FIRST_RETRY_DELAY_MS = 1000;
export const MAX_RETRY_DELAY_MS = 30_000;
/** How long a call is sent again if no answer comes. */
export const MAX_RESEND_MS = 600_000;

export const ACCESS_TOKEN_SECONDS = 3600;
export const ADMIN_TOKEN_SECONDS = 600;
export const IDEMPOTENCY_KEY_HOURS = 24;

/** In whole dollars, as all prices and totals. */
export const MAX_PRICE = 1_000_000;
export const MAX_QUANTITY = 1_000_000;
/** The most that the payment provider can charge for one order, in whole dollars. */
export const MAX_TOTAL = 999_999;
/** After this many declined cards in an hour, a customer's payments are canceled, and no new one can start. */
export const MAX_DECLINES = 10;
/** After this many declined cards in an hour, no payment can start in this network, whoever the customer is. */
export const MAX_DECLINES_PER_NETWORK = 30;
/** How many orders without a price a customer may have at the same time. */
export const MAX_UNPRICED_ORDERS = 100;
/** The size of a page in Manage All Orders. API clients may ask for up to MAX_ORDERS_PER_PAGE. */
export const ORDERS_PER_PAGE = 50;
export const MAX_ORDERS_PER_PAGE = 100;
/**
 * A list with more pages than this is not loaded again when the tab gets the focus or an order changes, because each
 * page needs a request.
 */
export const MAX_REFETCHED_PAGES = 10;
/**
 * The orders of a status are counted only up to this number, because counting all of them takes long if there are many.
 */
export const MAX_COUNTED_ORDERS = 1_000;
export const MIN_RATING = 1;
export const MAX_RATING = 5;
export const CENTS_PER_DOLLAR = 100;
export const CURRENCY = 'usd';

/** The widths in which an uploaded picture is stored. */
export const PICTURE_WIDTHS = [384, 768, 1536] as const;

export const MAX_LENGTH = {
  name: 120,
  email: 254,
  description: 2000,
  address: 300,
  phone: 40,
  reference: 40,
  education: 300,
  note: 500,
  search: 200,
  link: 2048,
} as const;

/** A shorter number can't be called. */
export const MIN_PHONE_DIGITS = 7;

/** How many tools the home page's HTML contains. The browser renders the others when the customer scrolls near them. */
export const TOOLS_IN_HTML = 100;
/** How many of the newest reviews the home page's HTML contains. The others are loaded after hydration. */
export const REVIEWS_IN_HTML = 24;
/** The most reviews that one customer may add within 24 hours. */
export const MAX_REVIEWS_PER_DAY = 5;
