import { assignDraftsTo, clearDrafts, drafts } from '../../../src/forms/drafts';

const storedKeys = () => Object.keys(localStorage).sort();
const keyOf = (name: string, body: unknown) => drafts.open(name, body).key;
const MINUTE_MS = 60_000;
const DAY_MS = 1440 * MINUTE_MS;

beforeEach(() => localStorage.clear());
afterEach(() => void jest.useRealTimers());

test('a draft keeps its values and its requests together', () => {
  const { key } = drafts.open('review', { ratings: 5 });
  drafts.saveValues('review', { ratings: '5' });
  expect(drafts.valuesOf('review')).toEqual({ ratings: '5' });
  expect(drafts.findOpen('review')).toMatchObject({ key, body: { ratings: 5 } });
});

test('a form without a draft has no values', () => {
  drafts.saveValues('review', { ratings: '5' });
  expect(drafts.valuesOf('profile')).toEqual({});
});

test.each(['{not JSON', '{"sent":"of an older version"}', '{}'])(
  'a stored draft that cannot be read, %s, is empty',
  (text) => {
    localStorage.setItem('draft:review', text);
    expect(drafts.valuesOf('review')).toEqual({});
    expect(keyOf('review', {})).toBe(keyOf('review', {}));
  },
);

// Clause C.6.15
test('a request has the same key until it succeeds, and only then the same body gets a new one', () => {
  const key = keyOf('a form', { totalQuantity: 20 });
  drafts.close('a form', key);
  expect(keyOf('another form', { totalQuantity: 20 })).not.toBe(key);
  const otherKey = keyOf('a form', { totalQuantity: 40 });
  expect([keyOf('a form', { totalQuantity: 20 }), otherKey === key]).toEqual([key, false]);
  drafts.forgetKey('a form', key);
  expect(keyOf('a form', { totalQuantity: 20 })).not.toBe(key);
  expect(keyOf('a form', { totalQuantity: 40 })).toBe(otherKey);
});

test('a form that succeeded keeps only the requests for which other tabs wait', () => {
  const [failed, done, other] = [1, 2, 3].map((body) => keyOf('a form', body));
  drafts.close('a form', failed!);
  drafts.saveValues('a form', { name: 'Ann' });
  drafts.discard('a form', done);
  expect([drafts.valuesOf('a form'), drafts.findOpen('a form')?.key]).toEqual([{}, other]);
  expect(keyOf('a form', 1)).not.toBe(failed);
  drafts.discard('a form', other);
  drafts.discard('a form', keyOf('a form', 1));
  expect(storedKeys()).toEqual([]);
});

test('a request can be asked about for ten minutes less than a day, which is as long as the server knows its key', () => {
  jest.useFakeTimers();
  const { key } = drafts.open('a form', 1);
  drafts.saveValues('old', { name: 'Ann' });
  jest.advanceTimersByTime(DAY_MS - 11 * MINUTE_MS);
  drafts.saveValues('a form', { name: 'Bob' });
  expect(drafts.findOpen('a form')?.key).toBe(key);
  jest.advanceTimersByTime(2 * MINUTE_MS);
  expect([drafts.findOpen('a form'), drafts.valuesOf('a form')]).toEqual([undefined, { name: 'Bob' }]);
  assignDraftsTo('ann@mail.example');
  expect(storedKeys()).toEqual(['draft:a form', 'drafts-of']);
});

test('signing out deletes all drafts and their owner, and nothing else', () => {
  assignDraftsTo('ann@mail.example');
  drafts.saveValues('review', { ratings: '5' });
  localStorage.setItem('place', '7');
  localStorage.setItem('x-draft:', '7');
  expect(storedKeys()).toEqual(['draft:review', 'drafts-of', 'place', 'x-draft:']);
  clearDrafts();
  expect(storedKeys()).toEqual(['place', 'x-draft:']);
});

test.each([
  ['the first user', undefined, true],
  ['the same user', 'ann@mail.example', true],
  ['another user', 'bob@mail.example', false],
])('drafts are kept for %s who signs in', (_who, owner, isKept) => {
  if (owner) assignDraftsTo(owner);
  drafts.saveValues('review', { ratings: '5' });
  assignDraftsTo('ann@mail.example');
  expect(drafts.valuesOf('review')).toEqual(isKept ? { ratings: '5' } : {});
  expect(localStorage.getItem('drafts-of')).toBe('ann@mail.example');
});
