import { PROJECT_ID } from '../index';
import { startEmulator } from '../../../__tests__/support/googleTokens';
import { playScenario } from './firebaseScenario';
import { call, googleCredential, refresh, startIdentity } from '../../../__tests__/support/identity';

const PROJECT = 'demo-forgeline';

let ours: Awaited<ReturnType<typeof startIdentity>>;
let googles: Awaited<ReturnType<typeof startEmulator>>;

beforeAll(async () => {
  [ours, googles] = await Promise.all([startIdentity(), startEmulator(PROJECT)]);
});

afterAll(() => Promise.all([ours.stop(), googles.stop()]));

// Clauses A.1.4, A.7.19, C.10.2
test('the unchanged SDK meets the same answers and error codes as on Google’s Auth emulator', async () => {
  const google = (email: string, name: string) => googleCredential(ours.url, email, name);
  const [here, there] = await Promise.all([
    playScenario({ url: ours.url, projectId: PROJECT_ID, google }),
    playScenario({ url: googles.url, projectId: PROJECT, google }),
  ]);

  expect(here).toEqual(there);
  expect(here['signs in']).toMatchObject({ user: { displayName: 'Ann Lee' } });
  expect(here['wrong password']).toEqual({ code: 'auth/invalid-credential' });
  expect(here['elsewhere nobody is left']).toBe('nobody');
});

// Clause C.10.2
test.each([
  ['signUp', { email: 'a@ex.com' }],
  ['signUp', { password: 'secret-1' }],
  ['signUp', { email: 'a@ex.com', password: 'secret-1', localId: 'mine' }],
  ['signInWithPassword', {}],
  ['signInWithPassword', { email: 'nobody@ex.com', password: 'secret-1' }],
  ['lookup', {}],
  ['lookup', { idToken: 'garbage' }],
  ['update', {}],
  ['update', { oobCode: 'garbage' }],
  ['delete', { idToken: 'garbage' }],
  ['createAuthUri', {}],
  ['createAuthUri', { identifier: 'a@ex.com' }],
  ['sendOobCode', {}],
  ['sendOobCode', { requestType: 'PASSWORD_RESET' }],
])('accounts:%s %j is refused in the same words', async (name, body) => {
  const [here, there] = await Promise.all([call(ours.url, name, body), call(googles.url, name, body)]);

  expect(here).toEqual(there);
  expect(here.status).toBe(400);
});

const GRANTS: Record<string, string>[] = [
  { grant_type: '' },
  { grant_type: 'password' },
  { grant_type: 'refresh_token' },
];

// Clause C.10.2
test.each(GRANTS)('a token is refused in the same words: %j', async (form) => {
  const [here, there] = await Promise.all([refresh(ours.url, form), refresh(googles.url, form)]);

  expect(here).toEqual(there);
  expect(here.status).toBe(400);
});
