export const PAYING_CARD = '4242424242424242';

/** Stripe's test cards: four entries that pay, one whose refunds stay pending for a while, and one that is declined. */
export const CARDS_BY_CHOICE = [
  ...[PAYING_CARD, PAYING_CARD, PAYING_CARD, PAYING_CARD],
  ...['4000000000007726', '4000000000000002'],
];
