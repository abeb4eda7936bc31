import { startShop } from '../../support/shop';

const MAX_REQUESTS = 2_000;

async function sendRequests(RATE_LIMIT: string, addresses: string[]) {
  const shop = await startShop({ env: { RATE_LIMIT, TRUST_PROXY: '127.0.0.1', DEMO_EXPOSED: 'on' } });
  const send = (address: string) =>
    shop.app.inject({ url: '/tool', headers: { 'x-forwarded-for': address }, remoteAddress: '127.0.0.1' });
  // The limiter's clock stands still, so that a slow machine sends them within ten seconds too.
  const clock = jest.spyOn(performance, 'now').mockReturnValue(performance.now());
  for (let n = 0; n < MAX_REQUESTS; n++) await send(addresses[0]!);
  const last = await Promise.all(addresses.map(send));
  clock.mockRestore();
  await shop.close();
  return last.map(({ statusCode, headers }) => [statusCode, Number(headers['retry-after'] ?? 0) > 0]);
}

// The second address is in the same IPv6 network, and the third one is not.
const ADDRESSES = ['2001:db8:1:2::7', '2001:db8:1:2::8', '2001:db8:1:3::7'];

it('after 2,000 requests within ten seconds, an IP network gets a 429 with Retry-After, and other networks do not', async () => {
  expect(await sendRequests('on', ADDRESSES)).toEqual([
    [429, true],
    [429, true],
    [200, false],
  ]);
});

it('with RATE_LIMIT=off, an IP network can send any number of requests', async () => {
  expect(await sendRequests('off', ADDRESSES)).toEqual(Array(3).fill([200, false]));
});
