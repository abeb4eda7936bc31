/** What any page may have to say: apart from the sentences of single pages, since the first script brings it. */
export const chunkFailed = (id: string) => `Loading chunk ${id} failed.`;

export const WORDS = {
  sessionEnded: 'Your session ended. Please log in again.',
  offline: 'We cannot reach the shop. Check your connection and try again.',
  unexpected: 'Something went wrong. Please try again.',
  slow: 'The shop takes long to answer. Please try again.',
  notJson: 'Something between you and the shop answered in its place. Check your connection and try again.',
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

export const IDENTITY_UNREACHABLE = 'We cannot reach the sign-in service. Check your connection and try again.';
