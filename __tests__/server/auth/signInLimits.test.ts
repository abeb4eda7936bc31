import { generateKeyPair, SignJWT } from 'jose';
import { putUser } from '../../support/api';
import { newEmail } from '../../support/customers';
import { claimsOf, createSigningKey, signToken } from '../../support/googleTokens';
import { startShop, startShopWithGoogle } from '../../support/shop';
import { callAccounts } from '../../support/identity';

type SignInResponse = { status: number; headers: Headers };
async function sendInSequence(times: number, send: (n: number) => Promise<SignInResponse>) {
  const responses = [];
  for (let n = 0; n < times; n += 1) responses.push(await send(n));
  return responses;
}
const statuses = (responses: SignInResponse[]) => responses.map(({ status }) => status);
const RATE_LIMITED = { RATE_LIMIT: 'on' };

test('a user can sign in ten times a minute and then gets a 429 with Retry-After', async () => {
  let clock = Date.now();
  const shop = await startShopWithGoogle({ env: RATE_LIMITED, now: () => new Date(clock) });
  try {
    const ann = newEmail('ann');
    const annsResponses = await sendInSequence(11, () => shop.signIn(ann));
    expect(statuses(annsResponses)).toEqual([...Array<number>(10).fill(200), 429]);
    expect(Number(annsResponses[10]!.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await shop.signIn(newEmail('bob'))).status).toBe(200);

    clock += 61_000;
    expect((await shop.signIn(ann)).status).toBe(200);
  } finally {
    await shop.close();
  }
});

test('a caller who keeps sending invalid tokens gets a 429, but other users of the same network can still sign in', async () => {
  let clock = Date.now();
  const shop = await startShopWithGoogle({ env: RATE_LIMITED, now: () => new Date(clock) });
  try {
    const [ann, bob] = [newEmail('ann'), newEmail('bob')];
    expect((await shop.signIn(ann)).status).toBe(200);
    const forgedKey = await createSigningKey('key-1');
    const sendInvalidToken = [
      () => putUser(shop.origin, ann, 'nonsense'),
      async (n: number) =>
        putUser(shop.origin, ann, await signToken(claimsOf(`p${n}@x.example`, new Date(clock)), forgedKey)),
      () => putUser(shop.origin, ann),
    ];
    const refused = await sendInSequence(200, (n) => sendInvalidToken[n % sendInvalidToken.length]!(n));
    expect(statuses(refused)).toEqual([...Array<number>(100).fill(401), ...Array<number>(100).fill(429)]);
    expect(Number(refused.at(-1)!.headers.get('retry-after'))).toBeGreaterThan(0);

    expect([(await shop.signIn(ann)).status, (await shop.signIn(bob)).status]).toEqual([200, 200]);
    clock += 61_000;
    expect((await putUser(shop.origin, ann, 'nonsense')).status).toBe(401);
  } finally {
    await shop.close();
  }
});

test('sign-ins above the limit cause no account lookups', async () => {
  const shop = await startShopWithGoogle({ env: RATE_LIMITED });
  try {
    const ann = newEmail('ann');
    await sendInSequence(30, () => shop.signIn(ann));
    expect(shop.google.state.lookUps).toBe(10);
  } finally {
    await shop.close();
  }
});

test('many tokens with unknown key ids cause few reads of the signing keys, and a valid token is still accepted', async () => {
  const shop = await startShop({ env: RATE_LIMITED });
  try {
    const email = newEmail('ann');
    const { body } = await callAccounts(shop.origin, 'signUp', {
      email,
      password: 'a-new-password',
      returnSecureToken: true,
    });
    const { privateKey } = await generateKeyPair('RS256');
    const querySpy = jest.spyOn(shop.deps.db.$client, 'query');
    const sendUnknownKeyId = async (_: unknown, n: number) => {
      const kid = n.toString(16).padStart(40, '0');
      const token = new SignJWT({}).setProtectedHeader({ alg: 'RS256', kid }).sign(privateKey);
      return putUser(shop.origin, email, await token);
    };
    const responses = Promise.all(Array.from({ length: 300 }, sendUnknownKeyId));
    const validSignIn = putUser(shop.origin, email, String(body.idToken));
    expect(new Set(statuses(await responses))).toEqual(new Set([401, 429]));
    expect((await validSignIn).status).toBe(200);
    const keyReads = querySpy.mock.calls.filter(([query]) => JSON.stringify(query).includes('private_jwk'));
    expect(keyReads.length).toBeGreaterThan(0);
    expect(keyReads.length).toBeLessThan(20);
  } finally {
    await shop.close();
  }
});

test('an ID token that another server has signed with a new key is accepted immediately', async () => {
  let clock = Date.now();
  const now = () => new Date(clock);
  const shop = await startShop({ now });
  const otherServer = await startShop({ now, connection: shop.database!.connection });
  try {
    const email = newEmail('ann');
    const credentials = { email, password: 'signed-elsewhere', returnSecureToken: true };
    const { body } = await callAccounts(shop.origin, 'signUp', credentials);
    expect((await putUser(shop.origin, email, String(body.idToken))).status).toBe(200);

    clock += 31 * 24 * 3_600_000;
    const renewed = await callAccounts(otherServer.origin, 'signInWithPassword', credentials);
    expect((await putUser(shop.origin, email, String(renewed.body.idToken))).status).toBe(200);
  } finally {
    await otherServer.close();
    await shop.close();
  }
});

test('sign-in answers 503 while no signing keys can be read', async () => {
  const shop = await startShopWithGoogle();
  try {
    shop.google.state.fault = 'error';
    const { status, body, headers } = await shop.signIn(newEmail());
    expect([status, body.code]).toEqual([503, 'identity_provider_unavailable']);
    expect(headers.get('retry-after')).toBe('5');
  } finally {
    await shop.close();
  }
});

test('sign-in works while account lookups fail, and skips the lookup for a while after each failure', async () => {
  const shop = await startShopWithGoogle();
  try {
    shop.google.state.account = undefined;
    const email = newEmail();
    expect((await shop.signIn(email)).status).toBe(200);
    shop.google.state.account = { error: { message: 'USER_DISABLED' } };
    expect((await shop.signIn(email)).status).toBe(200);
  } finally {
    await shop.close();
  }
});
