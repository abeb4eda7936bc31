import { startShop } from '../../support/shop';

const MAX_REQUESTS = 2_000;
const LOGIN_PATH = '/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=any';
/** Firebase's SDK knows this code, and its message for the user is about waiting. */
const TOO_MANY = 'TOO_MANY_ATTEMPTS_TRY_LATER';

async function sendRequests(RATE_LIMIT: string, addresses: string[]) {
  const shop = await startShop({ env: { RATE_LIMIT, TRUST_PROXY: '127.0.0.1', DEMO_EXPOSED: 'on' } });
  const sendTo = (url: string, method: 'GET' | 'POST') => (address: string) =>
    shop.app.inject({ url, method, headers: { 'x-forwarded-for': address }, remoteAddress: '127.0.0.1', payload: {} });
  const send = sendTo('/tool', 'GET');
  // The limiter's clock stands still, so that a slow machine sends them within ten seconds too.
  const clock = jest.spyOn(performance, 'now').mockReturnValue(performance.now());
  for (let n = 0; n < MAX_REQUESTS; n++) await send(addresses[0]!);
  const last = await Promise.all(addresses.map(send));
  const logins = await Promise.all(addresses.map(sendTo(LOGIN_PATH, 'POST')));
  clock.mockRestore();
  await shop.close();
  return {
    responses: last.map(({ statusCode, headers }) => [statusCode, Number(headers['retry-after'] ?? 0) > 0]),
    logins: logins.map((response) => response.json<{ error: { message: string } }>().error.message),
  };
}

// The second address is in the same IPv6 network, and the third one is not.
const ADDRESSES = ['2001:db8:1:2::7', '2001:db8:1:2::8', '2001:db8:1:3::7'];

it('after 2,000 requests within ten seconds, an IP network gets a 429 with Retry-After, and other networks do not', async () => {
  expect(await sendRequests('on', ADDRESSES)).toEqual({
    responses: [
      [429, true],
      [429, true],
      [200, false],
    ],
    logins: [TOO_MANY, TOO_MANY, 'MISSING_EMAIL'],
  });
});

it('with RATE_LIMIT=off, an IP network can send any number of requests', async () => {
  const { responses, logins } = await sendRequests('off', ADDRESSES);
  expect([responses, logins]).toEqual([Array(3).fill([200, false]), Array(3).fill('MISSING_EMAIL')]);
});
