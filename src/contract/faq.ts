/** Asked in the footer, answered on the About page. */
export const FAQ = [
  { id: 'faq-minimum', question: 'Why is there a minimum order?' },
  { id: 'faq-hold', question: 'How long is my order held?' },
  { id: 'faq-payment', question: 'How do I pay?' },
  { id: 'faq-range', question: 'What if I order more than you have?' },
  { id: 'faq-cancel', question: 'Can I take an order back?' },
] as const;

export type FaqId = (typeof FAQ)[number]['id'];
