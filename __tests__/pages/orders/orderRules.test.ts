import { drafts } from '../../../src/forms/drafts';
import type { Order } from '../../../src/contract/entities';
import {
  isInRange,
  nearestInRange,
  paymentActionOf,
  parseQuantity,
  rangeSentence,
} from '../../../src/features/orders/orderRules';

const withStatus = (status: Order['status']) => ({ status }) as Order;
const tool = { price: 18, minimumOrderQuantity: 20, availableQuantity: 640 };

// Clause A.2.31
it.each([
  ['unpaid', 'pay'],
  ['paid', 'paid'],
  ['shipped', 'paid'],
  ['refunded', 'refunded'],
  ['unpriced', 'delete'],
] as const)('the Payment cell of an order that is %s: %s', (status, action) => {
  expect(paymentActionOf(withStatus(status))).toBe(action);
});

// Clauses A.5.5, C.6.12
it.each([
  [19, false, 20],
  [20, true, 20],
  [640, true, 640],
  [641, false, 640],
  [1_000_000, false, 640],
])('of 20 to 640, %i fits: %s, and %i is the nearest', (quantity, does, nearest) => {
  expect([isInRange(tool, quantity), nearestInRange(tool, quantity)]).toEqual([does, nearest]);
});

it('what cannot be charged at once does not fit either', () => {
  const dear = { price: 100_000, minimumOrderQuantity: 1, availableQuantity: 50 };
  expect([isInRange(dear, 9), isInRange(dear, 10), nearestInRange(dear, 10)]).toEqual([true, false, 9]);
  expect(rangeSentence(dear)).toBe('Order 1 to 9 pieces.');
});

// Clause C.6.12
it('with less in stock than one order nothing is offered', () => {
  const gone = { ...tool, availableQuantity: 19 };
  expect([nearestInRange(gone, 19), nearestInRange(gone, 20), isInRange(gone, 19)]).toEqual([undefined, undefined, false]);
});

it.each(['', '0', '-1', '1.5', '1e3', '0x10', '1000001', '٣', 'twenty'])('%j is no quantity', (typed) => {
  expect(parseQuantity(typed)).toBeNaN();
});

it.each(['1', '20', '999999', '1000000', ' 20 '])('%j is a quantity', (typed) => {
  expect(parseQuantity(typed)).toBe(Number(typed));
});

// Clause C.6.15
it('a form filled once has one key until it is sent well or says something else', () => {
  const body = { totalQuantity: 20 };
  const key = drafts.keyFor('a form', body);
  expect(drafts.keyFor('a form', { ...body })).toBe(key);
  expect(drafts.keyFor('another form', body)).not.toBe(key);
  drafts.renewKey('a form');
  const renewed = drafts.keyFor('a form', body);
  expect(renewed).not.toBe(key);
  expect(drafts.keyFor('a form', { totalQuantity: 21 })).not.toBe(renewed);
  drafts.remove('a form');
  expect(Object.keys(sessionStorage).filter((name) => name === 'draft:a form')).toEqual([]);
});
