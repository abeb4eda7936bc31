import {
  applyActionCode,
  confirmPasswordReset,
  createUserWithEmailAndPassword,
  reload,
  sendEmailVerification,
  sendPasswordResetEmail,
  signInWithEmailAndPassword,
  verifyPasswordResetCode,
} from 'firebase/auth';
import { mails } from '../../../server/db/schema';
import { identityCodes } from '../schema';
import { createDatabaseRateLimit } from '../../../server/http/rateLimit';
import { codeOf, findMailedLink, openTestDatabase, startIdentity } from '../../../__tests__/support/identity';
import { RESET_RESPONSE_MS } from '../calls/sendOobCode';
import { openBrowser } from './firebaseBrowser';
import { callAccounts } from '../../../__tests__/support/customers';

const HOUR_MS = 3_600_000;
const PASSWORD = 'secret-1';
const PUBLIC_URL = 'http://shop.example';
let database: Awaited<ReturnType<typeof openTestDatabase>>;
let service: Awaited<ReturnType<typeof startIdentity>>;
let clockOffsetMs = 0;
let personCount = 0;

beforeAll(async () => {
  database = await openTestDatabase();
  const { db } = database;
  const now = () => new Date(Date.now() + clockOffsetMs);
  service = await startIdentity({
    db,
    now,
    publicUrl: PUBLIC_URL,
    limit: createDatabaseRateLimit(db, now),
    demo: false,
  });
});
beforeEach(() => void (clockOffsetMs = 0));
afterAll(async () => {
  await service.stop();
  await database.close();
});

const newEmail = () => `person${(personCount += 1)}@ex.com`;
const newBrowser = () =>
  openBrowser({
    url: service.url,
    projectId: 'forgeline-local',
    signGoogleCredential: () => Promise.reject(new Error('not used')),
    findCode: () => Promise.reject(new Error('not used')),
  });
const resetCode = async (email: string) => codeOf(await findMailedLink(database.db, email, 'reset password'));
const countCodes = () => database.db.$count(identityCodes);

async function newPerson() {
  const [email, browser] = [newEmail(), newBrowser()];
  const { user } = await createUserWithEmailAndPassword(browser, email, PASSWORD);
  return { email, browser, user };
}

async function newPersonWithReset() {
  const person = await newPerson();
  await sendPasswordResetEmail(person.browser, person.email);
  return { ...person, code: await resetCode(person.email) };
}

test('the mailed link verifies the email once, without ending the session, and returns to the page that was given', async () => {
  const { email, browser, user } = await newPerson();
  await sendEmailVerification(user, { url: `${PUBLIC_URL}/home` });
  const link = await findMailedLink(database.db, email, 'verify email');
  expect(link.origin + link.pathname).toBe(`${PUBLIC_URL}/__/auth/action`);
  expect(Object.fromEntries(link.searchParams)).toEqual({
    mode: 'verifyEmail',
    oobCode: expect.stringMatching(/^[\w-]{43}$/),
    continueUrl: `${PUBLIC_URL}/home`,
  });
  expect(JSON.stringify(await database.db.select().from(identityCodes))).not.toContain(codeOf(link));

  const other = await newPerson();
  await applyActionCode(other.browser, codeOf(link));
  await reload(user);
  await reload(other.user);
  expect([user.emailVerified, other.user.emailVerified]).toEqual([true, false]);
  expect((await user.getIdTokenResult(true)).claims['email_verified']).toBe(true);
  await expect(applyActionCode(browser, codeOf(link))).rejects.toMatchObject({ code: 'auth/invalid-action-code' });
});

test('a new password ends all sessions, verifies the email, and makes other links for it useless', async () => {
  const { email, browser, user, code } = await newPersonWithReset();
  clockOffsetMs = 61_000;
  await sendPasswordResetEmail(browser, email);
  const newerCode = await resetCode(email);
  expect(await verifyPasswordResetCode(browser, code)).toBe(email);
  await confirmPasswordReset(browser, code, 'secret-2');

  await expect(user.getIdToken(true)).rejects.toMatchObject({ code: 'auth/user-token-expired' });
  await expect(verifyPasswordResetCode(browser, newerCode)).rejects.toMatchObject({ code: 'auth/invalid-action-code' });
  await expect(signInWithEmailAndPassword(browser, email, PASSWORD)).rejects.toThrow('auth/invalid-credential');
  expect((await signInWithEmailAndPassword(browser, email, 'secret-2')).user.emailVerified).toBe(true);
});

test('two requests at the same moment use a code only once', async () => {
  const { browser, code } = await newPersonWithReset();
  const attempts = [confirmPasswordReset(browser, code, 'secret-2'), confirmPasswordReset(browser, code, 'secret-3')];
  const outcomes = await Promise.allSettled(attempts);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
});

test('a weak password does not use up the link', async () => {
  const { browser, code } = await newPersonWithReset();
  await expect(confirmPasswordReset(browser, code, 'password1')).rejects.toMatchObject({ code: 'auth/weak-password' });
  await confirmPasswordReset(browser, code, 'secret-2');
});

test('a link expires after an hour, and the next email deletes expired codes', async () => {
  const { email, browser, code } = await newPersonWithReset();
  clockOffsetMs = HOUR_MS;
  await expect(confirmPasswordReset(browser, code, 'secret-2')).rejects.toMatchObject({
    code: 'auth/expired-action-code',
  });
  await sendPasswordResetEmail(browser, email);
  expect(await countCodes()).toBe(1);
  await expect(verifyPasswordResetCode(browser, code)).rejects.toMatchObject({ code: 'auth/invalid-action-code' });
});

test.each([
  'https://evil.example/',
  `${PUBLIC_URL}.evil.example/`,
  `${PUBLIC_URL}@evil.example/`,
  `blob:${PUBLIC_URL}/x`,
])('a link that would lead to %s is refused', async (url) => {
  const { user } = await newPerson();
  await expect(sendEmailVerification(user, { url })).rejects.toMatchObject({
    code: 'auth/unauthorized-continue-uri',
  });
});

const requestReset = (email: string, from = '203.0.113.1') =>
  callAccounts(service.url, 'sendOobCode', { requestType: 'PASSWORD_RESET', email }, from);

test('a request for a new password gets the same response in the same time, whether or not the email has an account', async () => {
  const { email } = await newPerson();
  const mailCount = await database.db.$count(mails);
  for (const [typed, answered] of [
    [` ${email.toUpperCase()}`, email],
    ['nobody@ex.com', 'nobody@ex.com'],
    ['not-an-email', 'not-an-email'],
  ] as const) {
    const startedAt = performance.now();
    expect(await requestReset(typed)).toEqual({
      status: 200,
      body: { kind: 'identitytoolkit#GetOobConfirmationCodeResponse', email: answered },
    });
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(RESET_RESPONSE_MS - 2);
  }
  expect(await database.db.$count(mails)).toBe(mailCount + 1);
});

test('each network may ask for a link for an email once a minute and five times an hour, known or not', async () => {
  const { email } = await newPerson();
  for (const address of [email, newEmail()]) {
    clockOffsetMs += HOUR_MS;
    for (let n = 0; n < 5; n += 1) {
      expect((await requestReset(address)).status).toBe(200);
      expect((await requestReset(address)).body.error?.message).toMatch(/^TOO_MANY_ATTEMPTS_TRY_LATER/);
      clockOffsetMs += 61_000;
    }
    expect((await requestReset(address)).status).toBe(400);
    expect((await requestReset(address, '203.0.113.2')).status).toBe(200);
  }
});
