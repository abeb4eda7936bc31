import { normaliseEmail } from '../../server/email';

test.each([
  [' Ann@Ex.COM ', 'ann@ex.com'],
  ['ANN.LEE+tools@ex.com', 'ann.lee+tools@ex.com'],
  ['jose\u0301@ex.com', 'jos\u00e9@ex.com'],
  ['JOSE\u0301@ex.com', 'jos\u00e9@ex.com'],
  ['\u0130@ex.com', 'i\u0307@ex.com'],
])('%j is kept as %j', (typed, kept) => {
  expect(normaliseEmail(typed)).toBe(kept);
  expect(normaliseEmail(kept)).toBe(kept);
});

test('a Cyrillic letter makes another address', () => {
  expect(normaliseEmail('\u0430@x.io')).not.toBe(normaliseEmail('a@x.io'));
});

test.each(['', 'ann', '@ex.com', 'ann@', 'a@b@c', 'a n@ex.com', 'a\u0000@ex.com', 'a\u200b@ex.com', 'a\ud800@ex.com'])(
  '%j is no address',
  (typed) => expect(normaliseEmail(typed)).toBeUndefined(),
);

test('254 characters are the most', () => {
  expect(normaliseEmail(`${'a'.repeat(247)}@ex.com`)).toHaveLength(254);
  expect(normaliseEmail(`${'a'.repeat(248)}@ex.com`)).toBeUndefined();
});
