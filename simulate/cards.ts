/** Most cards pay. Test cards of Stripe: two whose refunds take time or fail, one that is declined. */
export const CARDS_BY_CHOICE = [
  ...['4242424242424242', '4242424242424242', '4242424242424242', '4242424242424242'],
  ...['4000000000007726', '4000000000000002'],
];
