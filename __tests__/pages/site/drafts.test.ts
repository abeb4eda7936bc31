import { assignDraftsTo, clearDrafts, drafts } from '../../../src/forms/drafts';

const storedKeys = () => Object.keys(sessionStorage).sort();

beforeEach(() => sessionStorage.clear());

test('a draft keeps its values and its idempotency key together', () => {
  const key = drafts.keyFor('review', { ratings: 5 });
  drafts.saveValues('review', { ratings: '5' });
  expect(drafts.valuesOf('review')).toEqual({ ratings: '5' });
  expect(drafts.keyFor('review', { ratings: 5 })).toBe(key);
  expect(drafts.valuesOf('review')).toEqual({ ratings: '5' });
});

test('a form without a draft has no values', () => {
  drafts.saveValues('review', { ratings: '5' });
  expect(drafts.valuesOf('profile')).toEqual({});
});

test.each(['{not JSON', '{"sent":"of an older version"}'])(
  'a stored draft that cannot be read, %s, is empty',
  (text) => {
    sessionStorage.setItem('draft:review', text);
    expect(drafts.valuesOf('review')).toEqual({});
    const key = drafts.keyFor('review', {});
    expect(drafts.keyFor('review', {})).toBe(key);
  },
);

test('forgetting the last idempotency key keeps those of earlier requests', () => {
  const first = drafts.keyFor('review', 1);
  const second = drafts.keyFor('review', 2);
  drafts.forgetLastKey('review');
  expect(drafts.keyFor('review', 1)).toBe(first);
  expect(drafts.keyFor('review', 2)).not.toBe(second);
});

test('signing out deletes all drafts and their owner, and nothing else', () => {
  assignDraftsTo('ann@mail.example');
  drafts.saveValues('review', {});
  sessionStorage.setItem('place', '7');
  sessionStorage.setItem('x-draft:', '7');
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
  expect(sessionStorage.getItem('drafts-of')).toBe('ann@mail.example');
});
