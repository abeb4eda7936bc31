import { normalizeEmail, normalizeStoredEmail } from '../../../server/auth/emailAddress';

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

test('an email of 254 characters is accepted even if it is typed as four times as many combining characters', () => {
  const typed = `${'\u03b1\u0313\u0300\u0345'.repeat(252)}@x`;
  expect(normalizeEmail(typed)).toBe(`${'\u1f82'.repeat(252)}@x`);
  expect(normalizeEmail(`${'e\u0316'.repeat(100)}${'\u0301'.repeat(1000)}@x`)).toBeUndefined();
});

test('operator commands accept an email of at most 254 characters', () => {
  expect(normalizeStoredEmail(`${'a'.repeat(247)}@ex.com`)).toHaveLength(254);
  expect(normalizeStoredEmail(`${'a'.repeat(248)}@ex.com`)).toBeUndefined();
});

test('spaces around an email do not count toward its maximum length', () => {
  expect(normalizeEmail(`${' '.repeat(2000)}ann@ex.com${' '.repeat(2000)}`)).toBe('ann@ex.com');
});
