/** Our own sentences of single pages. */
export const PAGE_MESSAGES = {
  wholeDollars: 'The price is in whole dollars.',
  wholeNumber: 'Put a whole number.',
  link: 'Put a link that begins with https://.',
  minimumAboveAvailable: 'The minimum order is above what is available: nobody can pay for an order yet.',
  removeUserClosed: 'Removing users is not open here.',
  needsAdmin: 'That page needs an admin.',
  orderUnanswered: 'No answer came back. Place the order again: it counts once, whether or not it had arrived.',
  paymentReturned: 'Your payment will be returned',
  noPasswordMail: 'A forgotten password cannot be sent by mail here.',
  passwordMailSent: 'If an account has this email, a mail to set a new password is on its way.',
  newsletterClosed: 'The newsletter is not open yet. Thank you for asking.',
} as const;
