import { newEmail } from '../../support/customers';
import { type ShopWithGoogle, startShopWithGoogle } from '../../support/shop';

const REFUSED_A_MINUTE_FROM_ONE_NETWORK = 100;
const METRICS_TOKEN = 'a token for the metrics';
const env = { RATE_LIMIT: 'on', DEMO_EXPOSED: 'on', METRICS_TOKEN };
let shop: ShopWithGoogle;
afterEach(() => shop.close());

/** What each of these is answered who tries to sign in with a token that is none, in the proxy's words of who they are. */
async function tries(from: string[]): Promise<number[]> {
  const path = `/user/${newEmail()}`;
  const statuses = [];
  for (const address of from) {
    const headers = { 'x-forwarded-for': address };
    const { status } = await shop.call(path, { method: 'PUT', token: 'forged', body: { email: 'x' }, headers });
    statuses.push(status);
  }
  return statuses;
}
const each = (address: (n: number) => string) =>
  Array.from({ length: REFUSED_A_MINUTE_FROM_ONE_NETWORK }, (_, n) => address(n));
const REFUSED = each(() => '').map(() => 401);

describe('Behind a proxy that TRUST_PROXY names', () => {
  beforeEach(
    async () => void (shop = await startShopWithGoogle({ env: { ...env, TRUST_PROXY: '10.0.0.1, 127.0.0.1' } })),
  );

  it('the address that it forwards is counted, whatever the customer had written before it', async () => {
    const ann = '203.0.113.1';
    expect(await tries(each((n) => `198.51.100.${n}, ${ann}`))).toEqual(REFUSED);
    expect(await tries([ann, `198.51.100.99, ${ann}`, '203.0.113.2'])).toEqual([429, 429, 401]);
  });
});

describe('Behind a proxy that nobody named', () => {
  beforeEach(async () => void (shop = await startShopWithGoogle({ env: { ...env, TRUST_PROXY: '10.0.0.1' } })));

  it('no address that is written down escapes the limit of all who come through it', async () => {
    expect(await tries(each((n) => `203.0.113.${n}`))).toEqual(REFUSED);
    expect(await tries(['203.0.113.99', '10.0.0.1'])).toEqual([429, 429]);
  });

  it('the metrics are for whoever has METRICS_TOKEN, and for this machine itself', async () => {
    const read = async (headers: Record<string, string>) => (await fetch(`${shop.origin}/metrics`, { headers })).status;
    const forwarded = { 'x-forwarded-for': '203.0.113.1' };
    const bearer = (token: string) => ({ ...forwarded, authorization: `Bearer ${token}` });
    const wrong = ['', 'undefined', METRICS_TOKEN.slice(1), `${METRICS_TOKEN}s`, METRICS_TOKEN.toUpperCase()];
    expect([await read({}), await read(forwarded), await read(bearer(METRICS_TOKEN))]).toEqual([200, 403, 200]);
    expect(await Promise.all(wrong.map((token) => read(bearer(token))))).toEqual(wrong.map(() => 403));
  });
});
