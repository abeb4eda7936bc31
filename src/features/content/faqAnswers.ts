import type { FaqId } from '../../contract/faq';

export const faqAnswers: Record<FaqId, string> = {
  'faq-minimum':
    "We sell by the crate. Each minimum fills one crate, so you don't pay more for packing than for the tools.",
  'faq-hold':
    'If your quantity is within the range, we reserve it right away, usually for two hours. We reserve more than half ' +
    'of our stock, or a tool that you left unpaid the day before, for 15 minutes. After that, you can pay as long as ' +
    "it's in stock.",
  'faq-payment':
    'By card, in US dollars, from My Order in your dashboard. Card details go straight to our payment provider. ' +
    'We never see or store them.',
  'faq-range':
    "We save the order, but you can't pay for it unless we offer you a price. You can delete it in My Orders. " +
    'The purchase page shows how many you can order right now.',
  'faq-cancel':
    "Until you've paid, you can delete an order on its payment page. After that, contact us with the transaction ID.",
};
