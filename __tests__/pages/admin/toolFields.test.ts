import { shipmentOf } from '../../../src/features/admin/orders/ShipmentFields';
import {
  BLANK_TOOL,
  draftOf,
  isMinimumAboveStock,
  minimumRules,
  previewOf,
} from '../../../src/features/admin/tools/toolFields';
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

test('the preview of a tool shows what was typed', () => {
  expect(previewOf(TYPED)).toEqual({ _id: 'preview', ...draftOf(TYPED), img: TYPED.img });
});

test('the preview of a tool shows placeholders for fields that are still empty', () => {
  const preview = {
    _id: 'preview',
    name: 'Tool name',
    price: 0,
    minimumOrderQuantity: 0,
    availableQuantity: 0,
    description: 'Your description will appear here.',
    img: '',
  };
  expect(previewOf(BLANK_TOOL)).toEqual(preview);
  expect(previewOf({ ...BLANK_TOOL, name: ' ', description: ' ' })).toEqual(preview);
});

test('the preview of a tool whose stock is still empty shows no shortage', () => {
  expect(previewOf({ ...TYPED, availableQuantity: '' })).toMatchObject({ availableQuantity: 20 });
  expect(previewOf({ ...TYPED, availableQuantity: '0' })).toMatchObject({ availableQuantity: 0 });
});

test.each([
  ['19', '20', false],
  ['20', '20', false],
  ['21', '20', true],
  ['', '20', false],
  ['20', '', false],
])('with a minimum order of %j and a stock of %j, the warning about the stock is shown: %s', (min, stock, isShown) => {
  expect(isMinimumAboveStock({ minimumOrderQuantity: min, availableQuantity: stock })).toBe(isShown);
});

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

test.each([
  ['1', true],
  ['1000000', true],
  ['0', 'Enter a whole number from 1 to 1,000,000.'],
  ['1000001', 'Enter a whole number from 1 to 1,000,000.'],
  ['1.5', 'Enter a whole number from 1 to 1,000,000.'],
  ['', 'Minimum order quantity is required'],
])('a minimum order quantity of %j is answered with %j', (typed, result) => {
  expect(minimumRules.validate(typed)).toBe(result);
});

test('a shipment is sent without spaces around its texts, and without a link and a note that are empty', () => {
  const shipment = { carrier: 'UPS', tracking: '1Z', link: 'https://a.example', note: 'By noon.' };
  const typed = { carrier: ' UPS ', tracking: ' 1Z ', link: ' https://a.example ', note: ' By noon. ' };
  expect(shipmentOf(typed)).toEqual(shipment);
  expect(shipmentOf({ ...typed, link: ' ', note: '' })).toEqual({ carrier: 'UPS', tracking: '1Z' });
  expect(shipmentOf({ ...typed, link: '', note: ' ' })).toEqual({ carrier: 'UPS', tracking: '1Z' });
});
