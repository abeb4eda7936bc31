import { createToolMatcher, putNameMatchesFirst } from '../../../src/contract/searchText';

const WRENCH = { name: 'Combination wrench, 17 mm', description: 'ISO 7738, jaws for 40–200 mm pipes.' };
const SOCKET = { name: 'Ratchet, 1/2 in drive', description: 'Turns sockets where a wrench has no room.' };

test.each(['wrenches', 'Wrenches', '17mm', 'iso7738', '40-200', '40–200', 'mm 17'])(
  'a search finds a tool although its text writes it differently: %s',
  (typed) => expect(createToolMatcher(typed)(WRENCH)).toBe(true),
);

test.each(['wrenched', '17cm', '40 x 200', 'iso 7739'])(
  'a search does not find a tool without its words: %s',
  (typed) => expect(createToolMatcher(typed)(WRENCH)).toBe(false),
);

test.each(['17 mm', '17mm', '17 MM wrench'])('a search finds a number only with its unit: %s', (typed) => {
  const rasp = { name: 'Rasp, 250 mm', description: '17 teeth, like no wrench.' };
  expect([rasp, WRENCH].filter(createToolMatcher(typed))).toEqual([WRENCH]);
});

test.each(['saw', 'saws', 'hack'])('a search finds a tool by the beginning or the end of a word: %s', (typed) => {
  expect(createToolMatcher(typed)({ name: 'Hacksaw, 300 mm', description: 'Sliding readings.' })).toBe(true);
});

test.each(['din', 'ack', '00'])('a search does not look inside of words and numbers: %s', (typed) => {
  expect(createToolMatcher(typed)({ name: 'Hacksaw, 300 mm', description: 'Sliding readings.' })).toBe(false);
});

test('a quotation mark after a number can stand for inches', () => {
  expect([SOCKET, WRENCH].filter(createToolMatcher('1/2" ratchets'))).toEqual([SOCKET]);
});

test('tools with the searched words in their name are before tools with them in their description', () => {
  expect(putNameMatchesFirst([SOCKET, WRENCH], 'wrenches')).toEqual([WRENCH, SOCKET]);
  expect(putNameMatchesFirst([SOCKET, WRENCH], '')).toEqual([SOCKET, WRENCH]);
});
