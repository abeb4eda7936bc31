export const PAYING_CARD = '4242424242424242';

const CARD_WITH_SLOW_REFUNDS = '4000000000007726';
const DECLINED_CARD = '4000000000000002';

/** Stripe's test cards. Refunds to half of those that pay are pending for a while. */
export const CARDS_BY_CHOICE = [
  PAYING_CARD,
  PAYING_CARD,
  CARD_WITH_SLOW_REFUNDS,
  CARD_WITH_SLOW_REFUNDS,
  DECLINED_CARD,
];
