/** Our own sentences that single pages show. */
export const PAGE_MESSAGES = {
  wholeDollars: 'Enter a whole dollar amount, without cents.',
  phoneTooShort: 'Enter a phone number with at least 7 digits, so that the carrier can call you.',
  linkInvalid: 'Enter a full link, like https://example.com/page.',
  minimumAboveAvailable: "The minimum order is above the stock. Customers can't pay until you change one of them.",
  removeUserUnavailable: "Removing users isn't available yet.",
  adminsOnly: 'Only admins can open that page.',
  noReplyToOrder:
    "We don't know whether your order arrived. Look in My Orders, or place it again: you won't order twice.",
  paymentRefunded: 'Your payment will be refunded',
  passwordResetSent: "If an account uses this email, we've sent a link to set a new password.",
  emailNotVerified: "Your email isn't verified yet. Open the link that we sent you.",
  verificationSent: 'We sent you a new link. It works for one hour.',
  passwordChanged: "Password changed. You're logged out on all other devices.",
  passwordUnchanged: 'Choose a password other than your current one.',
  ratingRequired: 'Choose a rating',
  orderDeleted: 'Order deleted',
  pictureBroken: "This picture doesn't load. Customers will see a drawing instead.",
  orderUnpriced: "You can't pay for this order: it has no price.",
} as const;
