import { shortFactsOf, splitDescription } from '../../../src/contract/toolDescription';

test("after the first line of a tool's description, each line with a label becomes a specification", () => {
  expect(splitDescription('72 teeth: small swing.\nLength: 265 mm\r\n\nMade to last.\n Drive : 1/2 in ')).toEqual({
    text: '72 teeth: small swing.\nMade to last.',
    facts: [
      ['Length', '265 mm'],
      ['Drive', '1/2 in'],
    ],
  });
});

test.each(['', 'One line: of text.', 'Text.\nhttps://forgeline.example', `Text.\n${'long '.repeat(9)}label: 1`])(
  'the first line of a tool description, a URL and a line with a long label stay text: %j',
  (description) => {
    expect(splitDescription(description)).toEqual({ text: description.trim(), facts: [] });
  },
);

test('a card shows facts in a few words, and neither the part number nor the dimensions', () => {
  const description = 'Text.\nPart number: FL-1\nWeight: 2 kg, without battery\nTeeth: 72\nDimensions: 2 × 1 mm';
  expect(shortFactsOf(description)).toEqual(['2 kg', 'Teeth 72']);
});
