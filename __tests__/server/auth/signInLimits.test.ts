import { generateKeyPair, SignJWT } from 'jose';
import { putUser } from '../../support/api';
import { newEmail } from '../../support/customers';
import { claimsOf, makeKey, signed } from '../../support/googleTokens';
import { startShop, startShopWithGoogle } from '../../support/shop';
import { call } from '../../support/identity';

type Answer = { status: number; headers: Headers };
async function inTurn(times: number, one: (n: number) => Promise<Answer>) {
  const answers = [];
  for (let n = 0; n < times; n += 1) answers.push(await one(n));
  return answers;
}
const statuses = (answers: Answer[]) => answers.map(({ status }) => status);
const limited = { RATE_LIMIT: 'on' };

test('a person signs in ten times a minute, then gets 429 with the time to wait', async () => {
  let clock = Date.now();
  const shop = await startShopWithGoogle({ env: limited, now: () => new Date(clock) });
  try {
    const ann = newEmail('ann');
    const ofAnn = await inTurn(11, () => shop.arrive(ann));
    expect(statuses(ofAnn)).toEqual([...Array<number>(10).fill(200), 429]);
    expect(Number(ofAnn[10]!.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await shop.arrive(newEmail('bob'))).status).toBe(200);

    clock += 61_000;
    expect((await shop.arrive(ann)).status).toBe(200);
  } finally {
    await shop.close();
  }
});

test('two hundred nonsense tokens end in 429 and keep nobody else of the network from signing in or renewing', async () => {
  let clock = Date.now();
  const shop = await startShopWithGoogle({ env: limited, now: () => new Date(clock) });
  try {
    const [ann, bob] = [newEmail('ann'), newEmail('bob')];
    expect((await shop.arrive(ann)).status).toBe(200);
    const forger = await makeKey('key-1');
    const nonsense = [
      () => putUser(shop.origin, ann, 'nonsense'),
      async (n: number) =>
        putUser(shop.origin, ann, await signed(claimsOf(`p${n}@x.example`, new Date(clock)), forger)),
      () => putUser(shop.origin, ann),
    ];
    const refused = await inTurn(200, (n) => nonsense[n % nonsense.length]!(n));
    expect(statuses(refused)).toEqual([...Array<number>(100).fill(401), ...Array<number>(100).fill(429)]);
    expect(Number(refused.at(-1)!.headers.get('retry-after'))).toBeGreaterThan(0);

    expect([(await shop.arrive(ann)).status, (await shop.arrive(bob)).status]).toEqual([200, 200]);
    clock += 61_000;
    expect((await putUser(shop.origin, ann, 'nonsense')).status).toBe(401);
  } finally {
    await shop.close();
  }
});

test('a proven person over their own limit costs the provider no look-up', async () => {
  const shop = await startShopWithGoogle({ env: limited });
  try {
    const ann = newEmail('ann');
    await inTurn(30, () => shop.arrive(ann));
    expect(shop.google.state.lookUps).toBe(10);
  } finally {
    await shop.close();
  }
});

test('three hundred tokens with invented key names share few reads of the embedded keys, and a real one gets in', async () => {
  const shop = await startShop({ env: limited });
  try {
    const email = newEmail('ann');
    const { body } = await call(shop.origin, 'signUp', {
      email,
      password: 'kept-out-by-none',
      returnSecureToken: true,
    });
    const { privateKey } = await generateKeyPair('RS256');
    const reads = jest.spyOn(shop.deps.db.$client, 'query');
    const invented = async (_: unknown, n: number) => {
      const kid = n.toString(16).padStart(40, '0');
      const token = new SignJWT({}).setProtectedHeader({ alg: 'RS256', kid }).sign(privateKey);
      return putUser(shop.origin, email, await token);
    };
    const answers = Promise.all(Array.from({ length: 300 }, invented));
    const real = putUser(shop.origin, email, String(body.idToken));
    expect(new Set(statuses(await answers))).toEqual(new Set([401, 429]));
    expect((await real).status).toBe(200);
    const ofKeys = reads.mock.calls.filter((given) => JSON.stringify(given).includes('identity_keys'));
    expect(ofKeys.length).toBeGreaterThan(0);
    expect(ofKeys.length).toBeLessThan(20);
  } finally {
    await shop.close();
  }
});

test('a token that another server signed with a new key gets in at once', async () => {
  let clock = Date.now();
  const now = () => new Date(clock);
  const shop = await startShop({ now });
  const other = await startShop({ now, connection: shop.database!.connection });
  try {
    const email = newEmail('ann');
    const credentials = { email, password: 'signed-elsewhere', returnSecureToken: true };
    const { body } = await call(shop.origin, 'signUp', credentials);
    expect((await putUser(shop.origin, email, String(body.idToken))).status).toBe(200);

    clock += 31 * 24 * 3_600_000;
    const renewed = await call(other.origin, 'signInWithPassword', credentials);
    expect((await putUser(shop.origin, email, String(renewed.body.idToken))).status).toBe(200);
  } finally {
    await other.close();
    await shop.close();
  }
});

test('with no keys to check a token by, the answer is neither yes nor no', async () => {
  const shop = await startShopWithGoogle();
  try {
    shop.google.state.fault = 'error';
    const { status, body, headers } = await shop.arrive(newEmail());
    expect([status, body.code]).toEqual([503, 'identity_provider_unavailable']);
    expect(headers.get('retry-after')).toBe('5');
  } finally {
    await shop.close();
  }
});

test('with no word on the account, the keys alone decide, and nobody waits for it twice', async () => {
  const shop = await startShopWithGoogle();
  try {
    shop.google.state.account = undefined;
    const email = newEmail();
    expect((await shop.arrive(email)).status).toBe(200);
    shop.google.state.account = { error: { message: 'USER_DISABLED' } };
    expect((await shop.arrive(email)).status).toBe(200);
  } finally {
    await shop.close();
  }
});
