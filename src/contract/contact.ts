/** The shop's contact data. These are examples that the owner has to replace. */
export const CONTACT = {
  email: 'works@forgeline.example',
  phone: '+1 312 555 0142',
  phoneHref: 'tel:+13125550142',
  street: '18 Foundry Row',
  town: 'Rockford, Illinois 61104',
  hours: 'Monday to Friday, 7 a.m. to 4 p.m. Central',
} as const;

export const SOCIAL_LINKS = [
  { name: 'LinkedIn', href: 'https://linkedin.example/forgeline' },
  { name: 'YouTube', href: 'https://youtube.example/forgeline' },
  { name: 'Instagram', href: 'https://instagram.example/forgeline' },
] as const;
