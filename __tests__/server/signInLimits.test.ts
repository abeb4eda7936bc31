import { putUser } from '../support/calls';
import { newAddress, startShopWithGoogle } from '../support/shopWithGoogle';

async function burst(times: number, one: (n: number) => Promise<{ status: number; headers: Headers }>) {
  const answers = [];
  for (let n = 0; n < times; n += 1) answers.push(await one(n));
  return answers;
}

test('PUT /user: ten a minute for a person, twenty for an address on the network, then 429 and when to come back', async () => {
  let clock = Date.now();
  const shop = await startShopWithGoogle({ env: { RATE_LIMIT: 'on' }, now: () => new Date(clock) });
  try {
    const ann = newAddress('ann');
    const ofAnn = await burst(11, () => shop.arrive(ann));
    expect(ofAnn.map(({ status }) => status)).toEqual([...Array<number>(10).fill(200), 429]);
    expect(Number(ofAnn[10]!.headers.get('retry-after'))).toBeGreaterThan(0);

    const forged = await burst(10, () => putUser(shop.origin, ann, 'forged'));
    expect(forged.map(({ status }) => status)).toEqual([...Array<number>(9).fill(401), 429]);
    expect((await shop.arrive(newAddress('bob'))).status).toBe(429);

    clock += 61_000;
    expect((await shop.arrive(ann)).status).toBe(200);
  } finally {
    await shop.close();
  }
});

test('with no keys to check a token by, the answer is neither yes nor no', async () => {
  const shop = await startShopWithGoogle();
  try {
    shop.google.state.fault = 'error';
    const { status, body, headers } = await shop.arrive(newAddress());
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
    const email = newAddress();
    expect((await shop.arrive(email)).status).toBe(200);
    shop.google.state.account = { error: { message: 'USER_DISABLED' } };
    expect((await shop.arrive(email)).status).toBe(200);
  } finally {
    await shop.close();
  }
});
