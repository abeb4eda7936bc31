/** Stripe's test cards: four entries that pay, one whose refunds stay pending for a while, and one that is declined. */
export const CARDS_BY_CHOICE = [
  ...['4242424242424242', '4242424242424242', '4242424242424242', '4242424242424242'],
  ...['4000000000007726', '4000000000000002'],
];
