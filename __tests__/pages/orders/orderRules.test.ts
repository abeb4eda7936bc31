import {
  cratesToPick,
  isInRange,
  nearestInRange,
  nextCrate,
  describeRange,
} from '../../../src/features/orders/orderRules';

const tool = { price: 18, minimumOrderQuantity: 20, availableQuantity: 640 };

// Clauses A.5.5, C.6.12
it.each([
  [19, false, 20],
  [20, true, 20],
  [640, true, 640],
  [641, false, 640],
  [1_000_000, false, 640],
  [0, false, 20],
  [NaN, false, 20],
])('for the range 20 to 640, isInRange(%i) is %s and the nearest quantity is %i', (quantity, fits, nearest) => {
  expect([isInRange(tool, quantity), nearestInRange(tool, quantity)]).toEqual([fits, nearest]);
});

it.each([
  [20, 40, undefined],
  [33, 40, 20],
  [640, undefined, 620],
  [635, 640, 620],
  [3, 20, undefined],
  [700, undefined, 640],
  [NaN, 20, 20],
])('from the quantity %i, one more crate leads to %s pieces and one fewer to %s', (quantity, more, less) => {
  expect([nextCrate(tool, quantity, 1), nextCrate(tool, quantity, -1)]).toEqual([more, less]);
});

it('the purchase form suggests no more crates than are in stock', () => {
  expect(cratesToPick(tool)).toEqual([1, 2, 5]);
  expect(cratesToPick({ ...tool, availableQuantity: 40 })).toEqual([1, 2]);
  expect(cratesToPick({ ...tool, availableQuantity: 19 })).toEqual([]);
});

it('a quantity whose total exceeds the largest possible charge is out of range', () => {
  const expensive = { price: 100_000, minimumOrderQuantity: 1, availableQuantity: 50 };
  expect([isInRange(expensive, 9), isInRange(expensive, 10), nearestInRange(expensive, 10)]).toEqual([true, false, 9]);
  expect(describeRange(expensive)).toBe('Order 1 to 9 pieces.');
  const tooExpensive = { ...expensive, minimumOrderQuantity: 10 };
  expect(describeRange(tooExpensive)).toBe("We can't charge more than $999,999 for one order.");
});

it.each([
  ['all of the stock', { availableQuantity: 1640 }, 'Order 20 to 1,640 pieces.'],
  ['all of the stock, one crate', { availableQuantity: 20 }, 'Order 20 to 20 pieces.'],
  ['all of the stock, too little', { availableQuantity: 19 }, 'Not enough stock for a minimum order.'],
  ['all of the stock, nothing', { availableQuantity: 0 }, 'Out of stock right now.'],
  ['more than can be charged', { price: 50_000 }, "We can't charge more than $999,999 for one order."],
  ['just what can be charged', { price: 49_999 }, 'Order 20 to 20 pieces.'],
])('a customer who can order %s is told the range', (_what, changes, range) => {
  expect(describeRange({ ...tool, ...changes })).toBe(range);
});

// Clause C.6.12
it('if the stock is below the minimum order, the form suggests no quantity', () => {
  const soldOut = { ...tool, availableQuantity: 19 };
  expect([nearestInRange(soldOut, 19), nearestInRange(soldOut, 20), isInRange(soldOut, 19)]).toEqual([
    undefined,
    undefined,
    false,
  ]);
});
