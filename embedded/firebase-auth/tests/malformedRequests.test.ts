import { callAccounts, refreshIdToken, startIdentity } from '../../../__tests__/support/identity';

let service: Awaited<ReturnType<typeof startIdentity>>;
beforeAll(async () => {
  service = await startIdentity();
});
afterAll(() => service.stop());

async function signUp(email: string) {
  return (await callAccounts(service.url, 'signUp', { email, password: 'secret-1' })).body.idToken;
}

async function send(
  body: string,
  type = 'application/json',
  path = '/identitytoolkit.googleapis.com/v1/accounts:signUp',
) {
  const response = await fetch(service.url + path, { method: 'POST', headers: { 'content-type': type }, body });
  return {
    status: response.status,
    body: (await response.json()) as unknown,
    cache: response.headers.get('cache-control'),
  };
}

const errorBody = (code: number, message: string) => ({
  error: { code, message, errors: [{ message, reason: 'invalid', domain: 'global' }] },
});

test.each([
  ['truncated JSON', '{"email":'],
  ['an array', '[]'],
  ['null', 'null'],
  ['a string', '"email"'],
  ['a __proto__ field', '{"__proto__":{"email":"a@ex.com"}}'],
  ['a constructor field', '{"constructor":{"prototype":{"a":1}}}'],
  ['deep nesting with unclosed brackets', '['.repeat(8000)],
  ['deep nesting with closed brackets', '['.repeat(8000) + ']'.repeat(8000)],
])('%s is refused with Firebase’s error format', async (_name, body) => {
  expect(await send(body)).toEqual({ status: 400, body: errorBody(400, 'INVALID_ARGUMENT'), cache: 'no-store' });
});

test('a large body and a wrong content type are rejected with Firebase’s error format', async () => {
  const large = await send(JSON.stringify({ email: 'x'.repeat(20_000) }));
  const plain = await send('{}', 'text/plain');
  expect([large.status, large.body]).toEqual([413, errorBody(413, 'REQUEST_TOO_LARGE')]);
  expect([plain.status, plain.body]).toEqual([415, errorBody(415, 'UNSUPPORTED_CONTENT_TYPE')]);
});

const FIELDS = ['email', 'idToken', 'displayName', 'postBody', 'requestType', 'password'];
const ENDPOINTS = ['signUp', 'signInWithPassword', 'lookup', 'update', 'signInWithIdp', 'delete', 'sendOobCode'];
const MALFORMED_VALUES = [5, true, [], {}, '', '\u0000', '\ud800', 'x'.repeat(5000), '%00', '\u202e@\u202e', "';--"];

test.each(ENDPOINTS)('the endpoint accounts:%s never answers a malformed value with a server error', async (name) => {
  const password = name === 'signInWithPassword' ? undefined : 'short';
  const validBody = name === 'update' ? { idToken: await signUp('odd@ex.com') } : { email: 'b@ex.com', password };
  const unexpectedStatuses: string[] = [];
  for (const [field, value] of FIELDS.flatMap((one) => MALFORMED_VALUES.map((oddValue) => [one, oddValue] as const))) {
    const { status } = await callAccounts(service.url, name, { ...validBody, [field]: value });
    if (status !== 200 && status !== 400)
      unexpectedStatuses.push(`${status}: ${field} ${JSON.stringify(value).slice(0, 12)}`);
  }
  expect(unexpectedStatuses).toEqual([]);
});

let namedToken: unknown;

test.each([5, true, {}, '\u0000', '\ud800', 'x'.repeat(257)])(
  '%j is refused as a display name',
  async (displayName) => {
    const idToken = (namedToken ??= await signUp('named@ex.com'));
    const { status, body } = await callAccounts(service.url, 'update', { idToken, displayName });
    expect([status, body.error?.message]).toEqual([400, expect.stringMatching(/^INVALID_ARGUMENT/)]);
  },
);

test('a display name with SQL, HTML or emoji is stored unchanged', async () => {
  const idToken = await signUp('any@ex.com');
  for (const displayName of ["Robert'); drop table embedded_identity.accounts;--", '<b>Zoë</b> 💥', '__proto__']) {
    expect((await callAccounts(service.url, 'update', { idToken, displayName })).body).toMatchObject({ displayName });
  }
});

test.each([
  ['a NUL', '\u0000'],
  ['5000 characters', 'x'.repeat(5000)],
  ['a percent sign', '%'],
  ['an emoji', '💥'],
])('a refresh token of %s is rejected as invalid', async (_name, token) => {
  const { status, body } = await refreshIdToken(service.url, { grant_type: 'refresh_token', refresh_token: token });
  expect([status, body.error?.message]).toEqual([400, 'INVALID_REFRESH_TOKEN']);
});

test('a login with an unknown email gets the same response as one with a wrong password', async () => {
  await signUp('a@ex.com');
  const logIn = (email: string) => callAccounts(service.url, 'signInWithPassword', { email, password: 'wrong-one' });
  expect(await logIn('nobody@ex.com')).toEqual(await logIn('a@ex.com'));
});

test.each(['customAttributes', 'deleteAttribute', 'disableUser', 'deleteProvider', 'mfa', 'localId', 'photoUrl'])(
  'an account update with the unsupported field %s is refused',
  async (field) => {
    const idToken = await signUp(`update.${field.toLowerCase()}@ex.com`);
    const { status, body } = await callAccounts(service.url, 'update', { idToken, [field]: 'x' });
    expect([status, body.error?.message]).toEqual([400, 'OPERATION_NOT_ALLOWED']);
  },
);
