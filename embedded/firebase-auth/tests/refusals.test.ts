import { eq, sql } from 'drizzle-orm';
import { hashPassword } from '../passwords';
import { identityAccounts } from '../schema';
import { createDatabaseRateLimit } from '../../../server/http/rateLimit';
import { waitUntilBlocked } from '../../../__tests__/support/database';
import {
  callAccounts,
  CHEAP_PASSWORD_COST,
  createGoogleCredential,
  openTestDatabase,
  signInWithGoogle,
  startIdentity,
} from '../../../__tests__/support/identity';

const password = 'secret-1';
let database: Awaited<ReturnType<typeof openTestDatabase>>;
let service: Awaited<ReturnType<typeof startIdentity>>;
let personCount = 0;

beforeAll(async () => {
  database = await openTestDatabase();
  const { db } = database;
  service = await startIdentity({ db, limit: createDatabaseRateLimit(db, () => new Date()) });
});
afterAll(async () => {
  await service.stop();
  await database.close();
});

const call = (endpoint: string, body: object) => callAccounts(service.url, endpoint, body);
const newEmail = () => `person${(personCount += 1)}@ex.com`;
const refusal = (message: string, code = 400) => ({
  status: code,
  body: { error: { code, message, errors: [{ message, reason: 'invalid', domain: 'global' }] } },
});

async function newPerson() {
  const email = newEmail();
  const { body } = await call('signUp', { email, password });
  return { email, localId: String(body.localId), idToken: String(body.idToken) };
}

test.each([
  ['signUp', {}, 'ADMIN_ONLY_OPERATION'],
  ['signUp', { email: 'a@ex.com', password, idToken: 'x' }, 'OPERATION_NOT_ALLOWED'],
  ['signUp', { email: 'a@ex.com', password: 'q7!xz' }, 'WEAK_PASSWORD : Password should be at least 6 characters'],
  ['signUp', { email: 5, password }, 'INVALID_ARGUMENT : email must be a string'],
  ['signInWithPassword', { email: 'a@ex.com' }, 'MISSING_PASSWORD'],
  ['signInWithPassword', { email: 'a', password }, 'INVALID_EMAIL'],
  ['signInWithIdp', {}, 'INVALID_CREDENTIAL_OR_PROVIDER_ID : Invalid IdP response/credential'],
  ['signInWithIdp', { postBody: 'providerId=google.com' }, 'INVALID_IDP_RESPONSE : The id_token is missing.'],
  [
    'signInWithIdp',
    { postBody: 'providerId=google.com&id_token=x' },
    'INVALID_IDP_RESPONSE : The supplied auth credential is malformed or has expired.',
  ],
  [
    'signInWithIdp',
    { postBody: 'providerId=facebook.com&id_token=x' },
    'OPERATION_NOT_ALLOWED : The identity provider configuration is not found.',
  ],
  ['sendOobCode', { requestType: 'EMAIL_SIGNIN', email: 'a@ex.com' }, 'OPERATION_NOT_ALLOWED'],
  ['sendOobCode', { requestType: 'VERIFY_EMAIL' }, 'MISSING_ID_TOKEN'],
])('the endpoint accounts:%s refuses %j with %s', async (endpoint, body, message) => {
  expect(await call(endpoint, body)).toEqual(refusal(message));
});

test.each([
  ['a display name of 257 characters', { displayName: 'x'.repeat(257) }, 'displayName is not valid'],
  ['a display name with a control character', { displayName: 'A\u0007' }, 'displayName is not valid'],
])('an account update with %s is refused', async (_what, fields, reason) => {
  const { idToken } = await newPerson();
  expect(await call('update', { idToken, ...fields })).toEqual(refusal(`INVALID_ARGUMENT : ${reason}`));
});

test('the longest display name and the shortest password are accepted', async () => {
  const { body } = await call('signUp', { email: newEmail(), password: 'q7!xzk' });
  const longest = { displayName: 'x'.repeat(256) };
  expect((await call('update', { idToken: body.idToken, ...longest })).body).toMatchObject(longest);
});

test('the email of another account is refused as a new email, even with a weak new password', async () => {
  const [{ email }, { idToken }] = [await newPerson(), await newPerson()];
  expect(await call('update', { idToken, email, password: 'weak' })).toEqual(refusal('EMAIL_EXISTS'));
});

/** Runs a call while another transaction is about to commit `change`. */
async function callDuring(change: ReturnType<typeof sql>, endpoint: string, body: object) {
  let response!: ReturnType<typeof call>;
  await database.db.transaction(async (tx) => {
    await tx.execute(change);
    response = call(endpoint, body);
    await waitUntilBlocked(database);
  });
  return response;
}

const insertAccount = (email: string) => sql`
  insert into embedded_identity.accounts (local_id, email, created_at, valid_since, last_login_at)
  values (${`id of ${email}`}, ${email}, now(), now(), now())`;

test('an email that somebody else takes at the same moment is refused, at sign-up and as a new email', async () => {
  const { idToken } = await newPerson();
  const [first, second] = [newEmail(), newEmail()];
  expect(await callDuring(insertAccount(first), 'signUp', { email: first, password })).toEqual(refusal('EMAIL_EXISTS'));
  expect(await callDuring(insertAccount(second), 'update', { idToken, email: second })).toEqual(
    refusal('EMAIL_EXISTS'),
  );
});

test('an update of an account that is deleted at the same moment answers that the account does not exist', async () => {
  const { email, idToken } = await newPerson();
  const deletion = sql`delete from embedded_identity.accounts where email = ${email}`;
  expect(await callDuring(deletion, 'update', { idToken, displayName: 'Ann' })).toEqual(refusal('USER_NOT_FOUND'));
});

test('another constraint of the database than the one on emails is not reported as a taken email', async () => {
  const { idToken } = await newPerson();
  await database.db.execute(
    sql`alter table embedded_identity.accounts add constraint no_bad check (display_name <> 'bad')`,
  );
  expect(await call('update', { idToken, displayName: 'bad' })).toEqual(refusal('INTERNAL_ERROR', 503));
});

test('a disabled account cannot sign in with Google', async () => {
  const { email } = await newPerson();
  await database.db.update(identityAccounts).set({ disabled: true }).where(eq(identityAccounts.email, email));
  const credential = await createGoogleCredential(service.url, email, 'Ann');
  expect(await signInWithGoogle(service.url, credential)).toEqual(refusal('USER_DISABLED'));
});

test('a sign-in is refused if the stored hash keeps changing while the password is checked', async () => {
  const { email } = await newPerson();
  await database.db.execute(sql`
    create function skip_update() returns trigger language plpgsql as $$ begin return null; end $$`);
  await database.db.execute(sql`
    create trigger skip_update before update on embedded_identity.accounts for each row execute function skip_update()`);
  const response = await call('signInWithPassword', { email, password });
  await database.db.execute(sql`drop trigger skip_update on embedded_identity.accounts`);
  expect(response).toEqual(refusal('INVALID_LOGIN_CREDENTIALS'));
});

/** Keeps the queue of passwords to hash full until `work` is done. */
async function withFullHashingQueue(work: () => Promise<void>) {
  let isDone = false;
  const workers = Array.from({ length: 80 }, async () => {
    while (!isDone) await hashPassword(password, CHEAP_PASSWORD_COST).catch(() => new Promise(setImmediate));
  });
  try {
    await work();
  } finally {
    isDone = true;
    await Promise.all(workers);
  }
}

test('a sign-in during a flood of sign-ins is asked to come back, and does not count as a failed login', async () => {
  const { email } = await newPerson();
  const signIn = () => call('signInWithPassword', { email, password });
  await withFullHashingQueue(async () => {
    for (let n = 0; n < 10; n += 1) expect(await signIn()).toEqual(refusal('TOO_MANY_ATTEMPTS_TRY_LATER', 503));
    const { status, headers } = await fetch(`${service.url}/identitytoolkit.googleapis.com/v1/accounts:signUp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: newEmail(), password }),
    });
    expect([status, headers.get('retry-after')]).toEqual([503, '5']);
  });
  expect((await signIn()).status).toBe(200);
});
