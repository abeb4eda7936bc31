import { PROJECT_ID } from '../../../embedded/firebase-auth';
import type { TestedService } from '../../../embedded/firebase-auth/tests/firebaseBrowser';
import { playScenario } from '../../../embedded/firebase-auth/tests/firebaseScenario';
import { codeOf, createGoogleCredential, findMailedLink, refreshIdToken, startIdentity } from '../../support/identity';
import { startAuthEmulator } from './authEmulator';
import { callAccounts } from '../../support/customers';

const EMULATOR_PROJECT = 'demo-forgeline';

let embedded: Awaited<ReturnType<typeof startIdentity>>;
let emulator: Awaited<ReturnType<typeof startAuthEmulator>>;

beforeAll(async () => {
  [embedded, emulator] = await Promise.all([startIdentity(), startAuthEmulator(EMULATOR_PROJECT)]);
});

afterAll(() => Promise.all([embedded.stop(), emulator.stop()]));

const MAIL_KINDS = { VERIFY_EMAIL: 'verify email', PASSWORD_RESET: 'reset password' } as const;

const findEmbeddedCode: TestedService['findCode'] = async (email, requestType) =>
  codeOf(await findMailedLink(embedded.db, email, MAIL_KINDS[requestType]));

const findEmulatorCode: TestedService['findCode'] = async (email, requestType) =>
  codeOf(await emulator.findLink(email, requestType));

// Clauses A.1.4, A.7.19, C.10.2
test("Firebase's unmodified SDK gets the same responses and error codes from the service as from Google’s Auth emulator", async () => {
  const signGoogleCredential = (email: string, name: string) => createGoogleCredential(embedded.url, email, name);
  const [fromEmbedded, fromEmulator] = await Promise.all([
    playScenario({
      url: embedded.url,
      projectId: PROJECT_ID,
      signGoogleCredential,
      findCode: findEmbeddedCode,
    }),
    playScenario({
      url: emulator.url,
      projectId: EMULATOR_PROJECT,
      signGoogleCredential,
      findCode: findEmulatorCode,
    }),
  ]);

  expect(fromEmbedded).toEqual(fromEmulator);
  expect(fromEmbedded['signs in']).toMatchObject({ user: { displayName: 'Ann Lee' } });
  expect(fromEmbedded['wrong password']).toEqual({ code: 'auth/invalid-credential' });
  expect(fromEmbedded['user in the other browser']).toBe('nobody');
  expect(fromEmbedded['claims after verification']).toMatchObject({ email_verified: true });
  expect(fromEmbedded['signs in after the reset']).toMatchObject({ user: { emailVerified: true } });
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
  ['sendOobCode', {}],
  ['sendOobCode', { requestType: 'PASSWORD_RESET' }],
  ['sendOobCode', { requestType: 'PASSWORD_RESET', email: 'a@ex.com', continueUrl: '/login' }],
  ['resetPassword', {}],
  ['resetPassword', { oobCode: 'garbage' }],
])("the endpoint accounts:%s refuses %j with the same error as Google's emulator", async (name, body) => {
  const [fromEmbedded, fromEmulator] = await Promise.all([
    callAccounts(embedded.url, name, body),
    callAccounts(emulator.url, name, body),
  ]);

  expect(fromEmbedded).toEqual(fromEmulator);
  expect(fromEmbedded.status).toBe(400);
});

const GRANTS: Record<string, string>[] = [
  { grant_type: '' },
  { grant_type: 'password' },
  { grant_type: 'refresh_token' },
];

// Clause C.10.2
test.each(GRANTS)("the token endpoint refuses %j with the same error as Google's emulator", async (form) => {
  const [fromEmbedded, fromEmulator] = await Promise.all([
    refreshIdToken(embedded.url, form),
    refreshIdToken(emulator.url, form),
  ]);

  expect(fromEmbedded).toEqual(fromEmulator);
  expect(fromEmbedded.status).toBe(400);
});
