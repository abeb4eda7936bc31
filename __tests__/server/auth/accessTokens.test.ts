import { createHash, createHmac } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';
import { accessTokens } from '../../../server/auth/accessTokens';

const SECRET = 'a secret of at least thirty-two bytes, for this test alone';
const kid = createHash('sha256').update(SECRET).digest('base64url').slice(0, 8);
const HEADER = { alg: 'HS256', typ: 'at+jwt', kid };
const AT = new Date('2026-05-04T10:00:00.250Z');
const seconds = AT.getTime() / 1000;
const CLAIMS = { iss: 'forgeline', aud: 'forgeline', sub: 'ann', iat: seconds, exp: Math.floor(seconds) + 3600 };

let now = AT;
const tokens = accessTokens(SECRET, () => now);
beforeEach(() => void (now = AT));

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
function signed(header: object, claims: object, { secret = SECRET, hash = 'sha256' } = {}): string {
  const text = `${encode(header)}.${encode(claims)}`;
  return `${text}.${createHmac(hash, secret).update(text).digest('base64url')}`;
}
const refusalOf = (token: string): string => {
  try {
    return `let in as ${tokens.verify(token).userId}`;
  } catch (error) {
    return (error as { code: string }).code;
  }
};
const without = (name: keyof typeof CLAIMS) =>
  Object.fromEntries(Object.entries(CLAIMS).filter(([key]) => key !== name));

test('a token says whose it is and, to the millisecond, when it was made', () => {
  expect(tokens.verify(tokens.issue('ann'))).toEqual({ userId: 'ann', issuedAt: AT });
  expect(refusalOf(signed(HEADER, CLAIMS))).toBe('let in as ann');
});

test('what we issue is a token by the standard, for another program to check', async () => {
  const rules = { algorithms: ['HS256'], typ: 'at+jwt', issuer: 'forgeline', audience: 'forgeline', currentDate: AT };
  const { payload } = await jwtVerify(tokens.issue('ann'), new TextEncoder().encode(SECRET), rules);
  expect(payload).toEqual(CLAIMS);
});

const [head, body, signature] = signed(HEADER, CLAIMS).split('.') as [string, string, string];
const FORGED: Record<string, string> = {
  'another secret': signed(HEADER, CLAIMS, { secret: 'another' }),
  'alg none': `${encode({ ...HEADER, alg: 'none' })}.${body}.`,
  'alg none with our signature': `${encode({ ...HEADER, alg: 'none' })}.${body}.${signature}`,
  'no signature': `${head}.${body}.`,
  'a signature cut short': `${head}.${body}.${signature.slice(0, -1)}`,
  'a padded signature': `${head}.${body}.${signature}=`,
  HS512: signed({ ...HEADER, alg: 'HS512' }, CLAIMS, { hash: 'sha512' }),
  'the type of an ID token': signed({ ...HEADER, typ: 'JWT' }, CLAIMS),
  'no type': signed({ alg: 'HS256', kid }, CLAIMS),
  'another key': signed({ ...HEADER, kid: 'other' }, CLAIMS),
  'a header that must be understood': signed({ ...HEADER, crit: ['x'], x: 1 }, CLAIMS),
  'a key of its own': signed({ ...HEADER, jwk: { kty: 'oct', k: 'AA' } }, CLAIMS),
  'claims changed after signing': `${head}.${encode({ ...CLAIMS, sub: 'bob' })}.${signature}`,
  'a part too many': `${head}.${body}.${signature}.x`,
  'a part too few': `${head}.${body}`,
  'another issuer': signed(HEADER, { ...CLAIMS, iss: 'other' }),
  'another audience': signed(HEADER, { ...CLAIMS, aud: 'other' }),
  'no issuer': signed(HEADER, without('iss')),
  'no audience': signed(HEADER, without('aud')),
  nobody: signed(HEADER, without('sub')),
  'a number for a person': signed(HEADER, { ...CLAIMS, sub: 1 }),
  'no end': signed(HEADER, without('exp')),
  'an end in words': signed(HEADER, { ...CLAIMS, exp: '9999999999' }),
  'no beginning': signed(HEADER, without('iat')),
  nothing: '',
};

test.each(Object.entries(FORGED))('%s is not let in', (_what, token) => {
  expect(refusalOf(token)).toBe('token_invalid');
});

test('a token of another library with our secret but its own header is not ours', async () => {
  const foreign = new SignJWT({ ...CLAIMS }).setProtectedHeader({ alg: 'HS256', typ: 'at+jwt' });
  expect(refusalOf(await foreign.sign(new TextEncoder().encode(SECRET)))).toBe('token_invalid');
});

const YEARS = 10 * 365 * 24 * 3600;
test.each([
  ['valid for ten years', { exp: CLAIMS.exp + YEARS }],
  ['valid for a minute more than an hour', { exp: CLAIMS.exp + 60 }],
  ['of an hour in ten years', { iat: seconds + YEARS, exp: CLAIMS.exp + YEARS }],
  ['with a sign-in in ten years', { auth_time: seconds + YEARS }],
  ['with a sign-in in words', { auth_time: 'now' }],
])('a token that was signed with our secret is refused: %s', (_what, claims) => {
  expect(refusalOf(signed(HEADER, { ...CLAIMS, ...claims }))).toBe('token_invalid');
});

test('a token names the sign-in that it belongs to, and an admin’s lives ten minutes', () => {
  const authTime = new Date('2026-05-04T09:00:00Z');
  expect(tokens.verify(tokens.issue('ann', { authTime }))).toEqual({ userId: 'ann', issuedAt: AT, authTime });
  const token = tokens.issue('ann', { forAdmin: true });
  now = new Date(AT.getTime() + 659_000);
  expect(refusalOf(token)).toBe('let in as ann');
  now = new Date(AT.getTime() + 661_000);
  expect(refusalOf(token)).toBe('token_expired');
});

// Clause C.11.2
test('a session lasts an hour, and clocks may differ by a minute', () => {
  const token = tokens.issue('ann');
  now = new Date((CLAIMS.exp + 59) * 1000);
  expect(refusalOf(token)).toBe('let in as ann');
  now = new Date((CLAIMS.exp + 61) * 1000);
  expect(refusalOf(token)).toBe('token_expired');
});
