import { DEMO_ACCOUNTS, DEMO_PASSWORD } from '../../../src/contract/demo';
import { callShop, putUser } from '../../../__tests__/support/api';
import { callAccounts, createGoogleCredential, signInWithGoogle } from '../../../__tests__/support/identity';
import { startShop } from '../../../__tests__/support/shop';

let clockOffsetMs = 0;
let shop: Awaited<ReturnType<typeof startShop>>;
beforeAll(async () => {
  const now = () => new Date(Date.now() + clockOffsetMs);
  shop = await startShop({ now, env: { DEMO: 'on', ADMIN_EMAILS: 'chief@shop.example' } });
});
afterAll(() => shop.close());

const PASSWORD = 'secret-1';
const signUp = async (email: string) =>
  String(
    (await callAccounts(shop.origin, 'signUp', { email, password: PASSWORD, returnSecureToken: true })).body['idToken'],
  );
const tokenFor = async (email: string, idToken: string) => (await putUser(shop.origin, email, idToken)).body.token;
const adminStatus = async (email: string, token?: string) =>
  (await callShop(shop.origin, `/admin/${email}`, { token })).status;

// Clause C.17.3
test('the demo has an admin account and a customer account', async () => {
  for (const { email, displayName, admin } of DEMO_ACCOUNTS) {
    const body = { email, password: DEMO_PASSWORD, returnSecureToken: true };
    const responseBody = (await callAccounts(shop.origin, 'signInWithPassword', body)).body;
    expect(responseBody['displayName']).toBe(displayName);
    const signedIn = await putUser(shop.origin, email, String(responseBody['idToken']));
    expect(signedIn).toMatchObject({ status: 200, body: { email, role: admin ? 'admin' : 'member' } });
  }
});

// Clause C.5.6
test('a changed password revokes older access tokens and ID tokens', async () => {
  const email = 'password@shop.example';
  const oldIdToken = await signUp(email);
  const token = await tokenFor(email, oldIdToken);
  expect(await adminStatus(email, token)).toBe(200);
  // Tokens are revoked by whole seconds, so the password must be changed in a later second than the sign-up.
  clockOffsetMs = 2_000;
  const changed = await callAccounts(shop.origin, 'update', {
    idToken: oldIdToken,
    password: 'secret-2',
    returnSecureToken: true,
  });
  const newToken = await tokenFor(email, String(changed.body['idToken']));
  expect(await adminStatus(email, newToken)).toBe(200);
  expect(await adminStatus(email, token)).toBe(401);
  expect(await putUser(shop.origin, email, oldIdToken)).toMatchObject({ status: 401, body: { code: 'token_invalid' } });
});

// Clause C.5.4
test('a Google user gets an account that someone else created with that email and a password, without its profile', async () => {
  const email = 'victim@shop.example';
  const squatter = await tokenFor(email, await signUp(email));
  const profile = { address: "Squatter's lane 1", phone: '1', linkedIn: 'https://l.example/x' };
  await callShop(shop.origin, '/profile', { method: 'POST', token: squatter, body: profile });
  const google = await signInWithGoogle(shop.origin, await createGoogleCredential(shop.origin, email, 'Vic Tim'));
  const victim = await tokenFor(email, String(google.body['idToken']));

  expect(await adminStatus(email, squatter)).toBe(401);
  const { body } = await callShop(shop.origin, `/profile/${email}`, { token: victim });
  expect(body).toMatchObject({ email, address: '', phone: '', linkedIn: '' });
});

// Clause C.5.3
test.each([
  ['was deleted', 'delete', {}],
  ['has another email', 'update', { email: 'moved@shop.example' }],
])('an email can be used by a new account after its account %s', async (_why, change, fields) => {
  const email = `${change}@shop.example`;
  const idToken = await signUp(email);
  const earlier = (await putUser(shop.origin, email, idToken)).body;
  await callAccounts(shop.origin, change, { idToken, ...fields });
  const later = (await putUser(shop.origin, email, await signUp(email))).body;
  expect(later).toMatchObject({ email, role: 'member' });
  expect(later._id).not.toBe(earlier._id);
});

test('an ID token of a deleted account is refused', async () => {
  const email = 'gone@shop.example';
  const idToken = await signUp(email);
  expect((await putUser(shop.origin, email, idToken)).status).toBe(200);
  await callAccounts(shop.origin, 'delete', { idToken });
  expect((await putUser(shop.origin, email, idToken)).status).toBe(401);
});

// Clause C.5.8
test('in the demo ADMIN_EMAILS makes a user with an unverified email an admin', async () => {
  const email = 'chief@shop.example';
  expect(await putUser(shop.origin, email, await signUp(email))).toMatchObject({
    status: 200,
    body: { role: 'admin' },
  });
});

// Clause C.5.8
test('outside the demo ADMIN_EMAILS ignores users with an unverified email', async () => {
  const shopWithoutDemo = await startShop({ env: { DEMO: 'off', ADMIN_EMAILS: 'chief@shop.example' } });
  try {
    const email = 'chief@shop.example';
    const { body } = await callAccounts(shopWithoutDemo.origin, 'signUp', {
      email,
      password: PASSWORD,
      returnSecureToken: true,
    });
    const signedIn = await putUser(shopWithoutDemo.origin, email, String(body['idToken']));
    expect(signedIn).toMatchObject({ status: 200, body: { role: 'member' } });
  } finally {
    await shopWithoutDemo.close();
  }
});
