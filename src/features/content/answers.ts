import type { FaqId } from '../../contract/faq';

export const answers: Record<FaqId, string> = {
  'faq-minimum':
    "We sell by the crate. Each minimum fills one crate, so you don't pay more for packing than for the tools.",
  'faq-hold':
    'When your quantity is in range, we reserve it right away, usually for two hours. After that you can still ' +
    "pay if it's still in stock.",
  'faq-payment':
    'By card, in US dollars, from My Order in your dashboard. Card details go straight to our payment provider. ' +
    'We never see or store them.',
  'faq-range':
    "We save the order, but you can't pay for it. You can delete it in My Order. The purchase page shows how many " +
    'you can order right now.',
  'faq-cancel':
    "You can delete an order on its payment page until you've paid for it. After that, contact us and include the " +
    'transaction id.',
};
