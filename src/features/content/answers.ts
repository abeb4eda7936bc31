import type { FaqId } from '../../contract/faq';

export const answers: Record<FaqId, string> = {
  'faq-minimum':
    'We sell by the crate. The minimum on each tool is what fills one, so nobody pays more for packing than for steel.',
  'faq-hold':
    'An order within the range shown takes its pieces out of stock at once and holds them while you pay, two hours as a rule. After that you can still pay, as long as the pieces are there.',
  'faq-payment':
    'By card, in US dollars, from My Order in your dashboard. Card details go straight to the payment provider; we neither see nor keep them.',
  'faq-range':
    'The order is recorded without a price: it cannot be paid, and you can delete it in My Order. The purchase page tells you which quantity we can sell now.',
  'faq-cancel':
    'An order that is not paid can be deleted, in My Order or on its payment page. Once it is paid, write to us with the transaction id.',
};
