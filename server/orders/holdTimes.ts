const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Starting a payment makes a hold last at least this long, but not beyond its last moment. */
export const PAYING_MS = 30 * MINUTE_MS;
/** Of a hold that is taken again after it ended, and of a customer who let a hold on the same tool run out. */
export const SHORT_HOLD_MS = 15 * MINUTE_MS;
/** How long a hold that ran out makes the customer's next holds on the same tool short. */
const RUN_OUT_COUNTS_MS = 24 * HOUR_MS;
/** While the provider works on a payment, the sweep looks again after this time. */
const LOOK_AGAIN_MS = 10 * MINUTE_MS;
/**
 * A customer who confirms at the bank (`requires_action`) keeps the hold this long beyond its last moment. The customer
 * decides when that state ends, so without a bound a payment that is never finished would hold stock for ever.
 */
const CONFIRMING_MS = HOUR_MS;

export const later = (from: Date, ms: number) => new Date(from.getTime() + ms);
export const earliest = (one: Date, other: Date) => (one < other ? one : other);

/** The times of a new order's hold. The short ones are for a customer whose hold ran out since `ranOutSince`. */
export function newHoldTimes(now: Date, holdHours: number) {
  const until = later(now, holdHours * HOUR_MS);
  return {
    until,
    lastAt: later(until, PAYING_MS),
    shortUntil: later(now, SHORT_HOLD_MS),
    ranOutSince: later(now, -RUN_OUT_COUNTS_MS),
  };
}

/** @returns until when a hold goes on although it is over; undefined when it ends. */
export function holdGoesOnUntil(status: string, lastAt: Date, now: Date): Date | undefined {
  const lookAgain = later(now, LOOK_AGAIN_MS);
  if (status === 'processing') return lookAgain;
  const bound = later(lastAt, CONFIRMING_MS);
  return status === 'requires_action' && now < bound ? earliest(lookAgain, bound) : undefined;
}
