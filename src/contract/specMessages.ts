/**
 * The sentences of sections A.2, A.5 and A.8 of the specification, word for word. Our own are in `appMessages` and
 * `pageMessages`.
 */
export const SPEC_MESSAGES = {
  emailRequired: 'Email is Required',
  emailInvalid: 'Provide a valid Email',
  passwordRequired: 'Password is Required',
  passwordShort: 'Put more than 6 characters',
  nameRequired: 'Name is Required',
  quantityRange: 'Check available & minimum order range',
  orderPlaced: 'Your Order Placed Successfully',
  profileSaved: 'Your Info Update Successfully',
  reviewSaved: 'Thanks For Your Review',
  toolAdded: 'New Tools Added Successfully',
  adminMade: 'Successfully made an Admin',
  noUser: 'No user is logged in',
  areYouSure: 'Are you sure?',
  completePayment: 'Complete the Payment',
  payingFor: 'PAYING FOR',
  shippedLog: 'We will notify you the shipped log after payment',
  pay: 'PAY',
  paid: 'Paid',
  paymentCompleted: 'Congrates! Your payment is completed',
} as const;

export const requiredField = (label: string) => `${label} is required`;
