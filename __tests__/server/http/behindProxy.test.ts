import { newEmail } from '../../support/customers';
import { type ShopWithGoogle, startShopWithGoogle } from '../../support/shop';

const REFUSALS_PER_MINUTE = 100;
const METRICS_TOKEN = 'a token for the metrics';
const env = { RATE_LIMIT: 'on', DEMO_EXPOSED: 'on', METRICS_TOKEN };
let shop: ShopWithGoogle;
afterEach(() => shop.close());

/**
 * Tries to sign in with an invalid token, once for each `X-Forwarded-For`.
 * @returns the statuses of the responses
 */
async function sendRefusedSignIns(forwardedFor: string[]): Promise<number[]> {
  const path = `/user/${newEmail()}`;
  const statuses = [];
  for (const address of forwardedFor) {
    const headers = { 'x-forwarded-for': address };
    const { status } = await shop.call(path, { method: 'PUT', token: 'forged', body: { email: 'x' }, headers });
    statuses.push(status);
  }
  return statuses;
}
const addressesUpToLimit = (address: (n: number) => string) =>
  Array.from({ length: REFUSALS_PER_MINUTE }, (_, n) => address(n));
const ALL_REFUSED = addressesUpToLimit(() => '').map(() => 401);

describe('Behind a proxy that TRUST_PROXY names', () => {
  beforeEach(
    async () => void (shop = await startShopWithGoogle({ env: { ...env, TRUST_PROXY: '10.0.0.1, 127.0.0.1' } })),
  );

  it('the rate limit counts the IP address that the proxy adds to X-Forwarded-For', async () => {
    const ann = '203.0.113.1';
    expect(await sendRefusedSignIns(addressesUpToLimit((n) => `198.51.100.${n}, ${ann}`))).toEqual(ALL_REFUSED);
    expect(await sendRefusedSignIns([ann, `198.51.100.99, ${ann}`, '203.0.113.2'])).toEqual([429, 429, 401]);
  });
});

describe('Behind a proxy that TRUST_PROXY does not name', () => {
  beforeEach(async () => void (shop = await startShopWithGoogle({ env: { ...env, TRUST_PROXY: '10.0.0.1' } })));

  it('X-Forwarded-For does not bypass the rate limit', async () => {
    expect(await sendRefusedSignIns(addressesUpToLimit((n) => `203.0.113.${n}`))).toEqual(ALL_REFUSED);
    expect(await sendRefusedSignIns(['203.0.113.99', '10.0.0.1'])).toEqual([429, 429]);
  });

  it('the metrics can be read with METRICS_TOKEN, or without it by a direct request from the same machine', async () => {
    const statusOfMetrics = async (headers: Record<string, string>) =>
      (await fetch(`${shop.origin}/metrics`, { headers })).status;
    const forwarded = { 'x-forwarded-for': '203.0.113.1' };
    const bearer = (token: string) => ({ ...forwarded, authorization: `Bearer ${token}` });
    const wrong = ['', 'undefined', METRICS_TOKEN.slice(1), `${METRICS_TOKEN}s`, METRICS_TOKEN.toUpperCase()];
    expect([
      await statusOfMetrics({}),
      await statusOfMetrics(forwarded),
      await statusOfMetrics(bearer(METRICS_TOKEN)),
    ]).toEqual([200, 403, 200]);
    expect(await Promise.all(wrong.map((token) => statusOfMetrics(bearer(token))))).toEqual(wrong.map(() => 403));
  });
});
