export const ORDER_STATES = [
  'unpriced',
  'unpaid',
  'unpaid, open attempt',
  'paid',
  'shipped',
  'refund requested',
  'refunded',
  'deleted',
] as const;
export type OrderStateName = (typeof ORDER_STATES)[number];

export const EVENTS = [
  'payment_intent.succeeded',
  'payment_intent.canceled',
  'payment_intent.payment_failed',
  'charge.refunded',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.closed, won',
  'charge.dispute.closed, lost',
] as const;
export type EventName = (typeof EVENTS)[number];

/**
 * What an event does to the order. `(sweep)` means that only the next sweep does it, and `shown` that the order shows
 * the dispute.
 */
export type EventOutcome =
  | 'no change'
  | 'paid'
  | 'attempt ends'
  | 'refunded'
  | 'refunded (sweep)'
  | 'refund failed'
  | 'refund failed (sweep)'
  | 'shown'
  | 'paid, shown'
  | 'refunded (sweep), shown'
  | 'refund failed (sweep), shown'
  | 'money returned'
  | 'money returned (sweep)'
  | 'money kept';

/** The columns are in the order of `ORDER_STATES`. */
const ROWS: Record<EventName, EventOutcome[]> = {
  'payment_intent.succeeded': [
    ...(['money returned (sweep)', 'paid', 'paid'] as const),
    ...(['no change', 'no change', 'refunded (sweep)', 'no change', 'money returned (sweep)'] as const),
  ],
  'payment_intent.canceled': [
    ...(['no change', 'no change', 'attempt ends'] as const),
    ...(['no change', 'no change', 'refunded (sweep)', 'no change', 'no change'] as const),
  ],
  'payment_intent.payment_failed': [
    ...(['no change', 'no change', 'no change'] as const),
    ...(['no change', 'no change', 'refunded (sweep)', 'no change', 'no change'] as const),
  ],
  'charge.refunded': [
    ...(['money returned', 'refunded', 'refunded'] as const),
    ...(['refunded', 'refunded', 'refunded', 'no change', 'money returned'] as const),
  ],
  'refund.updated': [
    ...(['money returned', 'refunded', 'refunded'] as const),
    ...(['refunded', 'refunded', 'refunded', 'no change', 'money returned'] as const),
  ],
  'refund.failed': [
    ...(['money returned (sweep)', 'paid', 'paid'] as const),
    ...(['no change', 'no change', 'refund failed', 'refund failed', 'money returned (sweep)'] as const),
  ],
  'charge.dispute.created': [
    ...(['money kept', 'paid, shown', 'paid, shown'] as const),
    ...(['shown', 'shown', 'refund failed (sweep), shown', 'shown', 'money kept'] as const),
  ],
  'charge.dispute.closed, won': [
    ...(['money returned (sweep)', 'paid, shown', 'paid, shown'] as const),
    ...(['shown', 'shown', 'refunded (sweep), shown', 'shown', 'money returned (sweep)'] as const),
  ],
  'charge.dispute.closed, lost': [
    ...(['money kept', 'paid, shown', 'paid, shown'] as const),
    ...(['shown', 'shown', 'refund failed (sweep), shown', 'shown', 'money kept'] as const),
  ],
};

export const outcomeOf = (state: OrderStateName, event: EventName): EventOutcome =>
  ROWS[event][ORDER_STATES.indexOf(state)]!;
