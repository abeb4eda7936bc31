import { normalizeEmail } from '../../../server/auth/emailAddress';

// Clause C.5.1
test.each([
  [' Ann@Ex.COM ', 'ann@ex.com'],
  ['ANN.LEE+tools@ex.com', 'ann.lee+tools@ex.com'],
  ['jose\u0301@ex.com', 'jos\u00e9@ex.com'],
  ['JOSE\u0301@ex.com', 'jos\u00e9@ex.com'],
  ['\u0130@ex.com', 'i\u0307@ex.com'],
])('%j is normalized to %j', (typed, normalized) => {
  expect(normalizeEmail(typed)).toBe(normalized);
  expect(normalizeEmail(normalized)).toBe(normalized);
});

// Clause C.5.1
test('an email with a Cyrillic letter is not the same email as with the Latin one', () => {
  expect(normalizeEmail('\u0430@x.io')).not.toBe(normalizeEmail('a@x.io'));
});

test.each([
  0x115f, 0x1160, 0x3164, 0xffa0, 0x2800, 0x034f, 0x180e, 0x200d, 0xfe0f, 0xfffc, 0x13441, 0x1d159, 0xe0061, 0xe000,
])('an email that contains the invisible character with the code %i is refused', (code) =>
  expect(normalizeEmail(`an${String.fromCodePoint(code)}n@ex.com`)).toBeUndefined(),
);

// Clause C.5.1
test.each(['', 'ann', '@ex.com', 'ann@', 'a@b@c', 'a n@ex.com', 'a\u0000@ex.com', 'a\u200b@ex.com', 'a\ud800@ex.com'])(
  '%j is not an email',
  (typed) => expect(normalizeEmail(typed)).toBeUndefined(),
);

// Clause C.5.1
test('an email has at most 254 characters', () => {
  expect(normalizeEmail(`${'a'.repeat(247)}@ex.com`)).toHaveLength(254);
  expect(normalizeEmail(`${'a'.repeat(248)}@ex.com`)).toBeUndefined();
});
