import { createHash, createHmac } from 'node:crypto';
import { SignJWT } from 'jose';
import { createAccessTokens } from '../../../server/auth/accessTokens';

const SECRET = 'a secret of at least thirty-two bytes, for this test alone';
const kid = createHash('sha256').update(SECRET).digest('base64url').slice(0, 8);
const HEADER = { alg: 'HS256', typ: 'at+jwt', kid };
const ISSUED_AT = new Date('2026-05-04T10:00:00.250Z');
const issuedAtSeconds = ISSUED_AT.getTime() / 1000;
const CLAIMS = {
  iss: 'forgeline',
  aud: 'forgeline',
  sub: 'ann',
  iat: issuedAtSeconds,
  exp: Math.floor(issuedAtSeconds) + 3600,
};

let now = ISSUED_AT;
const tokens = createAccessTokens(SECRET, () => now);
beforeEach(() => void (now = ISSUED_AT));

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
function sign(header: object, claims: object, { secret = SECRET, hash = 'sha256' } = {}): string {
  const text = `${encode(header)}.${encode(claims)}`;
  return `${text}.${createHmac(hash, secret).update(text).digest('base64url')}`;
}
const resultOf = (token: string): string => {
  try {
    return `accepted for ${tokens.verify(token).userId}`;
  } catch (error) {
    return (error as { code: string }).code;
  }
};
const without = (name: keyof typeof CLAIMS) =>
  Object.fromEntries(Object.entries(CLAIMS).filter(([key]) => key !== name));

test('an access token contains its user and the time at which it was issued, in milliseconds', () => {
  expect(tokens.verify(tokens.issue('ann'))).toEqual({ userId: 'ann', issuedAt: ISSUED_AT });
  expect(resultOf(sign(HEADER, CLAIMS))).toBe('accepted for ann');
});

const [head, body, signature] = sign(HEADER, CLAIMS).split('.') as [string, string, string];
const FORGED: Record<string, string> = {
  'another secret': sign(HEADER, CLAIMS, { secret: 'another' }),
  'alg none': `${encode({ ...HEADER, alg: 'none' })}.${body}.`,
  'alg none with our signature': `${encode({ ...HEADER, alg: 'none' })}.${body}.${signature}`,
  'no signature': `${head}.${body}.`,
  'a truncated signature': `${head}.${body}.${signature.slice(0, -1)}`,
  'a padded signature': `${head}.${body}.${signature}=`,
  HS512: sign({ ...HEADER, alg: 'HS512' }, CLAIMS, { hash: 'sha512' }),
  'the type of an ID token': sign({ ...HEADER, typ: 'JWT' }, CLAIMS),
  'no type': sign({ alg: 'HS256', kid }, CLAIMS),
  'another key id': sign({ ...HEADER, kid: 'other' }, CLAIMS),
  'an unknown critical header': sign({ ...HEADER, crit: ['x'], x: 1 }, CLAIMS),
  'a key in its own header': sign({ ...HEADER, jwk: { kty: 'oct', k: 'AA' } }, CLAIMS),
  'claims changed after signing': `${head}.${encode({ ...CLAIMS, sub: 'bob' })}.${signature}`,
  'four parts': `${head}.${body}.${signature}.x`,
  'two parts': `${head}.${body}`,
  'another issuer': sign(HEADER, { ...CLAIMS, iss: 'other' }),
  'another audience': sign(HEADER, { ...CLAIMS, aud: 'other' }),
  'no issuer': sign(HEADER, without('iss')),
  'no audience': sign(HEADER, without('aud')),
  'no subject': sign(HEADER, without('sub')),
  'a subject that is a number': sign(HEADER, { ...CLAIMS, sub: 1 }),
  'no expiry': sign(HEADER, without('exp')),
  'an expiry that is text': sign(HEADER, { ...CLAIMS, exp: '9999999999' }),
  'no time of issue': sign(HEADER, without('iat')),
  'an empty string': '',
};

test.each(Object.entries(FORGED))('a forged or invalid access token is refused: %s', (_case, token) => {
  expect(resultOf(token)).toBe('token_invalid');
});

test("an access token without the shop's key id is refused, even if it is signed with the shop's secret", async () => {
  const tokenWithoutKeyId = new SignJWT({ ...CLAIMS }).setProtectedHeader({ alg: 'HS256', typ: 'at+jwt' });
  expect(resultOf(await tokenWithoutKeyId.sign(new TextEncoder().encode(SECRET)))).toBe('token_invalid');
});

const TEN_YEARS_SECONDS = 10 * 365 * 24 * 3600;
test.each([
  ['valid for ten years', { exp: CLAIMS.exp + TEN_YEARS_SECONDS }],
  ['valid for 61 minutes', { exp: CLAIMS.exp + 60 }],
  [
    'valid for an hour that begins in ten years',
    { iat: issuedAtSeconds + TEN_YEARS_SECONDS, exp: CLAIMS.exp + TEN_YEARS_SECONDS },
  ],
  ['from a sign-in that is ten years in the future', { auth_time: issuedAtSeconds + TEN_YEARS_SECONDS }],
  ['from a sign-in whose time is a text', { auth_time: 'now' }],
  ['from a sign-in before 1970', { auth_time: -1 }],
  ['from a sign-in more than an hour after it', { auth_time: issuedAtSeconds + 3600.001 }],
  ['valid for a millisecond more than an hour', { exp: issuedAtSeconds + 3600.001 }],
  ['issued more than an hour from now', { iat: issuedAtSeconds + 3600.001, exp: issuedAtSeconds + 3601 }],
])("an access token that is signed with the shop's secret is refused if it is %s", (_case, claims) => {
  expect(resultOf(sign(HEADER, { ...CLAIMS, ...claims }))).toBe('token_invalid');
});

test.each([
  ['valid for exactly an hour', { iat: issuedAtSeconds, exp: issuedAtSeconds + 3600 }],
  ['issued an hour from now', { iat: issuedAtSeconds + 3600, exp: issuedAtSeconds + 3601 }],
  ['from a sign-in in 1970', { auth_time: 0 }],
  ['from a sign-in an hour after it', { auth_time: issuedAtSeconds + 3600 }],
])("an access token that is signed with the shop's secret is accepted if it is %s", (_case, claims) => {
  expect(resultOf(sign(HEADER, { ...CLAIMS, ...claims }))).toBe('accepted for ann');
});

test("an access token contains the time of its sign-in, and an admin's token expires after ten minutes, with a tolerance of one minute", () => {
  const authTime = new Date('2026-05-04T09:00:00Z');
  expect(tokens.verify(tokens.issue('ann', { authTime }))).toEqual({ userId: 'ann', issuedAt: ISSUED_AT, authTime });
  const token = tokens.issue('ann', { forAdmin: true });
  now = new Date(ISSUED_AT.getTime() + 659_000);
  expect(resultOf(token)).toBe('accepted for ann');
  now = new Date(ISSUED_AT.getTime() + 661_000);
  expect(resultOf(token)).toBe('token_expired');
});

// Clause C.11.2
test('an access token expires after an hour, with a tolerance of one minute', () => {
  const token = tokens.issue('ann');
  now = new Date((CLAIMS.exp + 60) * 1000 - 1);
  expect(resultOf(token)).toBe('accepted for ann');
  now = new Date((CLAIMS.exp + 60) * 1000);
  expect(resultOf(token)).toBe('token_expired');
});
