const SECOND_MS = 1000;
const DAY_MS = 24 * 3600 * SECOND_MS;

/** A refund begins with `status` and changes to `next` after a delay. */
interface RefundPlan {
  status: 'pending' | 'succeeded';
  next: 'succeeded' | 'failed';
  afterMs: number;
}

/** A dispute begins with the payment and ends with `next` after a delay. */
export interface DisputePlan {
  next: 'won' | 'lost';
  afterMs: number;
}

export interface CardPlan {
  refund?: RefundPlan;
  dispute?: DisputePlan;
}

/**
 * The refund and the dispute that follow a payment with each test card. The delays are our choice, because Stripe
 * documents only "some time later".
 */
export const CARD_PLANS = {
  pays: {},
  refund_pending: { refund: { status: 'pending', next: 'succeeded', afterMs: 10 * SECOND_MS } },
  refund_fails: { refund: { status: 'succeeded', next: 'failed', afterMs: 10 * SECOND_MS } },
  disputed_fraudulent: { dispute: { next: 'lost', afterMs: 8 * DAY_MS } },
  disputed_won: { dispute: { next: 'won', afterMs: 30 * SECOND_MS } },
  disputed_lost: { dispute: { next: 'lost', afterMs: 30 * SECOND_MS } },
} satisfies Record<string, CardPlan>;

export type PayingOutcome = keyof typeof CARD_PLANS;

export const isPayingOutcome = (outcome: string): outcome is PayingOutcome => Object.hasOwn(CARD_PLANS, outcome);

export const cardPlanOf = (outcome: string): CardPlan => (isPayingOutcome(outcome) ? CARD_PLANS[outcome] : {});
