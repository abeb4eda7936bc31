import { isAddressComplete } from '../../../src/contract/delivery';
import { parseWholeNumber, textRules, wholeNumberRules } from '../../../src/ui/fieldRules';

test.each([
  ['18', 18],
  [' 7 ', 7],
  ['0', 0],
  ['-5', -5],
  ['1,800', 1800],
  ['-1,000', -1000],
  ['12,345,678', 12_345_678],
])('a number field reads %j as %i', (typed, number) => {
  expect(parseWholeNumber(typed)).toBe(number);
});

test.each(['', '-', 'ten', '1.5', '1,5', '1,80', '1,8000', '1234,567', '12x', 'x12', '1,800x', '1,,800', '--5'])(
  'a number field does not read %j as a whole number',
  (typed) => {
    expect(parseWholeNumber(typed)).toBeNaN();
  },
);

test.each([
  ['', 'Name is required'],
  ['  ', 'Name is required'],
  ['Ann', true],
  ['  Ann  ', true],
  ['🔨🔨🔨', true],
  ['Anna', 'Use at most 3 characters.'],
])('a required text of at most three characters, typed as %j, is answered with %j', (typed, result) => {
  const { required, validate } = textRules('Name', 3);
  expect([required, validate(typed)]).toEqual(['Name is required', result]);
});

const OWN_SENTENCES = { fraction: 'No cents.', outOfRange: 'Choose 2 to 1,500.' };

test.each([
  ['', 'Pieces is required', 'Pieces is required'],
  ['  ', 'Pieces is required', 'Pieces is required'],
  ['1', 'Enter a whole number from 2 to 1,500.', OWN_SENTENCES.outOfRange],
  ['2', true, true],
  [' 1,500 ', true, true],
  ['1501', 'Enter a whole number from 2 to 1,500.', OWN_SENTENCES.outOfRange],
  ['2.5', 'Enter a whole number from 2 to 1,500.', OWN_SENTENCES.fraction],
  ['ten', 'Enter a whole number from 2 to 1,500.', OWN_SENTENCES.outOfRange],
])('a number from 2 to 1,500, typed as %j, is answered with %j, or with sentences of its own', (typed, result, own) => {
  const range = { from: 2, to: 1500 };
  const { required, validate } = wholeNumberRules('Pieces', range);
  const ownRules = wholeNumberRules('Pieces', { ...range, ...OWN_SENTENCES });
  expect([required, validate(typed), ownRules.validate(typed)]).toEqual(['Pieces is required', result, own]);
});

test.each([
  ['', false],
  ['18 Foundry Row', false],
  ['18 Foundry Row\nRockford', false],
  ['Foundry Row, Rockford, USA', false],
  ['18 Foundry Row,\n\n, USA', false],
  ['18 Foundry Row\n61101 Rockford, IL\nUSA', true],
  ['18 Foundry Row, Rockford, IL 61101, USA', true],
  ['شارع النيل ١٢، القاهرة، مصر', true],
])('whether the address %j is complete for a carrier is guessed as %s', (address, isComplete) => {
  expect(isAddressComplete(address)).toBe(isComplete);
});
