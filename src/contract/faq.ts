/** The footer lists these questions, and the About page answers them. */
export const FAQ = [
  { id: 'faq-minimum', question: 'Why is there a minimum order?' },
  { id: 'faq-hold', question: 'How long do you hold my order?' },
  { id: 'faq-payment', question: 'How do I pay?' },
  { id: 'faq-range', question: 'What if I order more than you have in stock?' },
  { id: 'faq-cancel', question: 'Can I cancel an order?' },
  { id: 'faq-delivery', question: 'When do you deliver?' },
  { id: 'faq-returns', question: 'Can I return tools?' },
] as const;

export type FaqId = (typeof FAQ)[number]['id'];
