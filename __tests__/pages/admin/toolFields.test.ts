import { draftOf } from '../../../src/features/admin/tools/toolFields';
import { priceRules } from '../../../src/ui/fieldRules';

const TYPED = {
  name: ' Hammer ',
  price: ' 1,200 ',
  minimumOrderQuantity: '20',
  availableQuantity: '640',
  description: ' Steel. ',
  img: ' /images/placeholder.svg ',
};

test('a tool is sent with numbers, and without spaces around its texts', () => {
  expect(draftOf(TYPED)).toEqual({
    name: 'Hammer',
    price: 1200,
    minimumOrderQuantity: 20,
    availableQuantity: 640,
    description: 'Steel.',
    img: '/images/placeholder.svg',
  });
});

// Clause C.9.2
test.each([
  ['1', true],
  ['1,000,000', true],
  ['0', 'Enter a price from $1 to $1,000,000.'],
  ['1000001', 'Enter a price from $1 to $1,000,000.'],
  ['42.50', 'Enter a whole dollar amount, without cents.'],
  ['42,50', 'Enter a whole dollar amount, without cents.'],
  ['cheap', 'Enter a price from $1 to $1,000,000.'],
  ['-7', 'Enter a price from $1 to $1,000,000.'],
  ['', 'Price is required'],
])('a price of %j is answered with %j', (typed, result) => {
  expect(priceRules('Price').validate(typed)).toBe(result);
});
