import { decodeJwt } from 'jose';
import { callAccounts, startIdentity } from '../../../__tests__/support/identity';

const START = Date.parse('2030-01-01T00:00:00Z');
const account = { email: 'ann@ex.com', password: 'secret-1' };
let clock = START;
let service: Awaited<ReturnType<typeof startIdentity>>;
beforeAll(async () => {
  service = await startIdentity({ now: () => new Date(clock) });
});
afterAll(() => service.stop());

async function authTimeOf(endpoint: string) {
  const { body } = await callAccounts(service.url, endpoint, account);
  return Number(decodeJwt(String(body.idToken))['auth_time']) - START / 1000;
}

test('each sign-in of an account has a second of its own, which is at most 30 seconds ahead', async () => {
  clock = START + 250;
  const authTimes = [await authTimeOf('signUp')];
  for (let n = 0; n < 31; n += 1) authTimes.push(await authTimeOf('signInWithPassword'));
  expect(authTimes).toEqual([...Array.from({ length: 31 }, (_, second) => second), 0]);

  clock = START + 1000;
  expect(await authTimeOf('signInWithPassword')).toBe(31);
  clock = START + 60_000;
  expect(await authTimeOf('signInWithPassword')).toBe(60);
});
