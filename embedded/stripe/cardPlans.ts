const SECOND_MS = 1000;

/** A refund begins with `status` and changes to `next` after a delay. */
interface RefundPlan {
  status: 'pending' | 'succeeded';
  next: 'succeeded' | 'failed';
  afterMs: number;
}

export interface DisputePlan {
  reason: 'fraudulent' | 'product_not_received';
  networkReasonCode: string;
  status: 'needs_response' | 'warning_needs_response';
  /** How the dispute ends by itself. If missing, the dispute waits for the shop's evidence until the deadline. */
  ends?: { status: 'won' | 'lost'; afterMs: number };
}

export interface CardPlan {
  refund?: RefundPlan;
  dispute?: DisputePlan;
}

const FRAUDULENT = { reason: 'fraudulent', networkReasonCode: '10.4', status: 'needs_response' } as const;

/**
 * The refund and the dispute that follow a payment with each test card. The delays are our choice, because Stripe
 * documents only "some time later".
 */
export const CARD_PLANS = {
  pays: {},
  refund_pending: { refund: { status: 'pending', next: 'succeeded', afterMs: 10 * SECOND_MS } },
  refund_fails: { refund: { status: 'succeeded', next: 'failed', afterMs: 10 * SECOND_MS } },
  disputed_fraudulent: { dispute: FRAUDULENT },
  disputed_not_received: {
    dispute: { reason: 'product_not_received', networkReasonCode: '13.1', status: 'needs_response' },
  },
  disputed_inquiry: { dispute: { ...FRAUDULENT, networkReasonCode: '10', status: 'warning_needs_response' } },
  disputed_won: { dispute: { ...FRAUDULENT, ends: { status: 'won', afterMs: 30 * SECOND_MS } } },
  disputed_lost: { dispute: { ...FRAUDULENT, ends: { status: 'lost', afterMs: 30 * SECOND_MS } } },
} satisfies Record<string, CardPlan>;

export type PayingOutcome = keyof typeof CARD_PLANS;

export const isPayingOutcome = (outcome: string): outcome is PayingOutcome => Object.hasOwn(CARD_PLANS, outcome);

export const cardPlanOf = (outcome: string): CardPlan => (isPayingOutcome(outcome) ? CARD_PLANS[outcome] : {});
