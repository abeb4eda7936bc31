import { decodeJwt } from 'jose';
import {
  callAccounts,
  createGoogleCredential,
  refreshIdToken,
  signInWithGoogle,
  startIdentity,
} from '../../../__tests__/support/identity';

// The Firebase SDK reads these fields. Unlike the comparison with Google's emulator, these tests also see the fields
// that the SDK passes on to nobody.

const NOW = Date.parse('2030-01-01T00:00:00.500Z');
const SECONDS = '1893456000';
const password = 'secret-1';
let service: Awaited<ReturnType<typeof startIdentity>>;
let personCount = 0;

beforeAll(async () => {
  service = await startIdentity({ now: () => new Date(NOW) });
});
afterAll(() => service.stop());

const call = (endpoint: string, body: object) => callAccounts(service.url, endpoint, body);
const newEmail = () => `person${(personCount += 1)}@ex.com`;
const matching = (pattern: RegExp) => expect.stringMatching(pattern) as string;
const tokens = {
  idToken: matching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
  refreshToken: matching(/^[\w-]{64}$/),
  expiresIn: '3600',
};

async function newPerson() {
  const email = newEmail();
  const { body } = await call('signUp', { email, password });
  return { email, localId: String(body.localId), idToken: String(body.idToken), refresh: String(body.refreshToken) };
}

const passwordProvider = (email: string) => ({ providerId: 'password', email, federatedId: email, rawId: email });

test('a sign-up answers with the new account and its tokens', async () => {
  const email = newEmail();
  const { body } = await call('signUp', { email: email.toUpperCase(), password });
  const kind = 'identitytoolkit#SignupNewUserResponse';
  expect(body).toEqual({ kind, localId: matching(/^[A-Za-z0-9]{28}$/), email, ...tokens });
});

test.each([
  ['without a name', {}, ''],
  ['with a name', { displayName: 'Ann Lee' }, 'Ann Lee'],
])('a password sign-in %s answers with the account and its tokens', async (_what, fields, displayName) => {
  const { email, localId, idToken } = await newPerson();
  await call('update', { idToken, ...fields });
  expect(await call('signInWithPassword', { email, password })).toEqual({
    status: 200,
    body: {
      kind: 'identitytoolkit#VerifyPasswordResponse',
      registered: true,
      localId,
      email,
      displayName,
      ...tokens,
    },
  });
});

test('a lookup answers with the whole account', async () => {
  const { email, localId, idToken } = await newPerson();
  expect((await call('lookup', { idToken })).body).toEqual({
    kind: 'identitytoolkit#GetAccountInfoResponse',
    users: [
      {
        localId,
        email,
        emailVerified: false,
        passwordHash: 'UkVEQUNURUQ=',
        providerUserInfo: [passwordProvider(email)],
        validSince: SECONDS,
        createdAt: String(NOW),
        lastLoginAt: String(NOW),
      },
    ],
  });
});

test('an account update stores, shows and removes the display name', async () => {
  const { email, localId, idToken, refresh } = await newPerson();
  const profile = {
    kind: 'identitytoolkit#SetAccountInfoResponse',
    localId,
    email,
    emailVerified: false,
    passwordHash: 'UkVEQUNURUQ=',
  };
  const displayName = 'Ann Lee';
  const updated = await call('update', { idToken, displayName: ' Ann Lee ' });
  expect(updated.body).toEqual({
    ...profile,
    displayName,
    providerUserInfo: [{ ...passwordProvider(email), displayName }],
  });

  const renewed = await refreshIdToken(service.url, { grant_type: 'refresh_token', refresh_token: refresh });
  expect(decodeJwt(String(renewed.body.id_token))).toMatchObject({ name: displayName });

  const cleared = await call('update', { idToken, displayName: '  ' });
  expect(cleared.body).toEqual({ ...profile, providerUserInfo: [passwordProvider(email)] });
});

test('a new password and a new email answer with the account and new tokens', async () => {
  const { email, localId, idToken } = await newPerson();
  const kind = 'identitytoolkit#SetAccountInfoResponse';
  const profile = { kind, localId, emailVerified: false, passwordHash: 'UkVEQUNURUQ=', ...tokens };
  const changed = await call('update', { idToken, password: 'secret-2' });
  expect(changed.body).toEqual({ ...profile, email, providerUserInfo: [passwordProvider(email)] });

  const moved = await call('update', { idToken: changed.body.idToken, email: `New.${email}` });
  const address = `new.${email}`;
  expect(moved.body).toEqual({ ...profile, email: address, providerUserInfo: [passwordProvider(address)] });
});

test('a renewed ID token comes with the fields of Google’s token endpoint', async () => {
  const { localId, refresh } = await newPerson();
  const { body } = await refreshIdToken(service.url, { grant_type: 'refresh_token', refresh_token: refresh });
  expect(body).toEqual({
    id_token: tokens.idToken,
    access_token: body.id_token,
    expires_in: '3600',
    refresh_token: refresh,
    token_type: 'Bearer',
    user_id: localId,
    project_id: 'forgeline-local',
  });
});

test('a Google sign-in answers with the Google user, the account and its tokens', async () => {
  const email = newEmail();
  const credential = await createGoogleCredential(service.url, email, 'Goo Gle');
  const rawId = decodeJwt(credential).sub!;
  expect(rawId).toMatch(/^[0-9a-f]{21}$/);
  expect(decodeJwt(credential)).toEqual({
    iss: 'http://shop.example/identity/google',
    aud: 'forgeline-local-google',
    sub: rawId,
    iat: Number(SECONDS),
    exp: Number(SECONDS) + 300,
    email,
    email_verified: true,
    name: 'Goo Gle',
  });

  const first = await signInWithGoogle(service.url, credential);
  const response = {
    kind: 'identitytoolkit#VerifyAssertionResponse',
    context: '',
    providerId: 'google.com',
    federatedId: `https://accounts.google.com/${rawId}`,
    email,
    emailVerified: true,
    localId: matching(/^[A-Za-z0-9]{28}$/),
    displayName: 'Goo Gle',
    fullName: 'Goo Gle',
    oauthIdToken: credential,
    rawUserInfo: JSON.stringify({
      granted_scopes:
        'openid https://www.googleapis.com/auth/userinfo.profile https://www.googleapis.com/auth/userinfo.email',
      id: rawId,
      name: 'Goo Gle',
      verified_email: true,
      locale: 'en',
      email,
    }),
    ...tokens,
  };
  expect(first.body).toEqual({ ...response, isNewUser: true });
  expect((await signInWithGoogle(service.url, credential)).body).toEqual(response);

  const lookup = await call('lookup', { idToken: first.body.idToken });
  const google = { providerId: 'google.com', rawId, federatedId: rawId, displayName: 'Goo Gle', email };
  expect(lookup.body.users).toEqual([
    {
      localId: first.body.localId,
      email,
      emailVerified: true,
      displayName: 'Goo Gle',
      providerUserInfo: [google],
      validSince: SECONDS,
      createdAt: String(NOW),
      lastLoginAt: String(NOW),
    },
  ]);
});

test('the deletion of an account answers with its kind alone', async () => {
  const { idToken } = await newPerson();
  expect((await call('delete', { idToken })).body).toEqual({ kind: 'identitytoolkit#DeleteAccountResponse' });
});
