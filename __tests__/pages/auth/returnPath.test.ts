import { readPathAfterSignup, readReturnPath } from '../../../src/features/auth/returnPath';

// Clause C.11.4
test.each([
  '/',
  '/dashboard',
  '/dashboard/payment/7?x=1&y=%2F#top',
  '/purchase/a%20b',
  '/a//b',
  '/%5Cevil.example',
  '/%2F%2Fevil.example',
  '/?next=//evil.example',
])('after logging in, the user returns to %s, because it is a path of this site', (from) =>
  expect(readReturnPath({ from })).toBe(from),
);

// Clause C.11.4
test.each([
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\\/evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '\t//evil.example',
  '/.//evil.example',
  '/a/..//evil.example',
  '/%2e//evil.example',
  'https://evil.example',
  'https:evil.example',
  'http:/\\evil.example',
  'javascript:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,x',
  'evil.example',
  '',
  ' /dashboard',
  '/login',
  '/login?x=1',
  '/signup',
])('login ignores the return path %j and leads to the home page', (from) => expect(readReturnPath({ from })).toBe('/'));

// Clause C.11.4
test.each([null, undefined, 7, 'x', {}, { from: 7 }, { from: null }, { from: ['/x'] }])(
  'login leads to the home page if the navigation state has no valid return path: %j',
  (state) => expect(readReturnPath(state)).toBe('/'),
);

test.each([
  [`${location.origin}/blogs?x=1`, '/blogs?x=1'],
  [`${location.origin}/login`, '/'],
  ['https://evil.example/blogs', '/'],
  ['', '/'],
])('without a navigation state, the referrer %j leads the user back to %s', (referrer, expected) => {
  jest.spyOn(document, 'referrer', 'get').mockReturnValue(referrer);
  expect([readReturnPath(null), readReturnPath({ from: '/about' })]).toEqual([expected, '/about']);
  jest.restoreAllMocks();
});

// Clause A.2.19
test.each([
  [{ from: '/purchase/7', needs: 'signedIn' }, '/purchase/7'],
  [{ from: '//evil.example', needs: 'signedIn' }, '/'],
  [{ from: '/blogs' }, '/'],
  [null, '/'],
])('after signing up, the navigation state %j leads to %s', (state, path) =>
  expect(readPathAfterSignup(state)).toBe(path),
);
