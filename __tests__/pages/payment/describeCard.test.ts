import { describeCard } from '../../../src/contract/describeCard';

test.each([
  ['visa', 'Visa ending in 4242'],
  ['amex', 'American Express ending in 4242'],
  ['diners', 'Diners Club ending in 4242'],
  ['discover', 'Discover ending in 4242'],
  ['jcb', 'JCB ending in 4242'],
  ['mastercard', 'Mastercard ending in 4242'],
  ['unionpay', 'UnionPay ending in 4242'],
  ['a_new_network', 'Card ending in 4242'],
])('a card of the brand %s is described as "%s"', (brand, description) => {
  expect(describeCard({ brand, last4: '4242' })).toBe(description);
});
