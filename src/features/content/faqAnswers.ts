import type { FaqId } from '../../contract/faq';

/** The answers of the About page. Change them here to say how your shop delivers and takes back. */
export const faqAnswers: Record<FaqId, string> = {
  'faq-minimum':
    "We sell by the crate. Each minimum fills one crate, so you don't pay more for packing than for the tools.",
  'faq-hold':
    'If your quantity is within the range, we hold it right away, usually for two hours. Very large orders, and tools ' +
    'that you left unpaid the day before, are held for 15 minutes. After that, you can still pay while we have stock.',
  'faq-payment':
    'By card, in US dollars, from My Order in your dashboard. Card details go straight to our payment provider. ' +
    'We never see or store them.',
  'faq-range':
    "We save the order, but you can't pay for it unless we offer you a price. You can delete it in My Orders. " +
    'The purchase page shows how many you can order right now.',
  'faq-cancel': 'Until you pay, you can delete an order on its payment page. After that, email us the order number.',
  'faq-delivery':
    "Each tool's page says when it ships, and delivery is included. Once the carrier has your crate, you get an email " +
    'with the tracking number, and My Orders shows it.',
  'faq-returns':
    'Unused tools in their crate can come back within 30 days, whole orders or single pieces. Email us with the order ' +
    'number first. We refund the price of the pieces to your card once they have arrived.',
};
