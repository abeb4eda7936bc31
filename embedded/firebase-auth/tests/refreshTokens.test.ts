import { decodeJwt } from 'jose';
import { callAccounts, refreshIdToken, startIdentity } from '../../../__tests__/support/identity';

const DAY_MS = 86_400_000;
const clock = { ms: Date.parse('2030-01-01T00:00:00Z') };
let service: Awaited<ReturnType<typeof startIdentity>>;
let personCount = 0;

beforeAll(async () => {
  service = await startIdentity({ now: () => new Date(clock.ms) });
});
afterAll(() => service.stop());

async function newSession() {
  const email = `person${(personCount += 1)}@ex.com`;
  const { body } = await callAccounts(service.url, 'signUp', { email, password: 'secret-1', returnSecureToken: true });
  return String(body.refreshToken);
}
const renew = (token: string) => refreshIdToken(service.url, { grant_type: 'refresh_token', refresh_token: token });

test('a refresh token expires when it is not used for 30 days', async () => {
  const [used, unused, lastDay] = [await newSession(), await newSession(), await newSession()];
  clock.ms += 29 * DAY_MS;
  expect((await renew(used)).status).toBe(200);
  clock.ms += DAY_MS;
  expect((await renew(lastDay)).status).toBe(200);
  clock.ms += 1;
  const { status, body } = await renew(unused);
  expect([status, body.error?.message]).toEqual([400, 'TOKEN_EXPIRED']);
  const { body: renewed } = await renew(used);
  expect(decodeJwt(String(renewed.id_token))).toMatchObject({ iat: Math.floor(clock.ms / 1000) });
});

test('a renewed ID token is valid for one hour, however long ago the user signed in', async () => {
  const token = await newSession();
  const signedInAt = Math.floor(clock.ms / 1000);
  clock.ms += 2 * DAY_MS;
  const { body } = await renew(token);
  const iat = Math.floor(clock.ms / 1000);
  expect(body.expires_in).toBe('3600');
  expect(decodeJwt(String(body.id_token))).toMatchObject({ auth_time: signedInAt, iat, exp: iat + 3600 });
});

test('a refresh token that is used regularly stays valid for longer than 30 days', async () => {
  const token = await newSession();
  for (let n = 0; n < 5; n += 1) {
    clock.ms += 20 * DAY_MS;
    expect((await renew(token)).status).toBe(200);
  }
});
