import { splitDescription } from '../../../src/contract/toolDescription';

test('lines with a label after the first line of a description are specifications', () => {
  expect(splitDescription('72 teeth: small swing.\nLength: 265 mm\r\n\nMade to last.\n Drive : 1/2 in ')).toEqual({
    text: '72 teeth: small swing.\nMade to last.',
    facts: [
      ['Length', '265 mm'],
      ['Drive', '1/2 in'],
    ],
  });
});

test.each(['', 'One line: of text.', 'Text.\nhttps://forgeline.example', `Text.\n${'long '.repeat(9)}label: 1`])(
  'a description without labeled lines has no specifications: %j',
  (description) => {
    expect(splitDescription(description)).toEqual({ text: description.trim(), facts: [] });
  },
);
