import type * as crypto from 'node:crypto';
import { like } from 'drizzle-orm';
import { rateLimits } from '../../../server/db/schema';
import { createDatabaseRateLimit } from '../../../server/http/rateLimit';
import { openTestDatabase, startIdentity } from '../../../__tests__/support/identity';
import { waitUntil } from '../../../__tests__/support/wait';
import { callAccounts } from '../../../__tests__/support/customers';

/** Hashes wait for the gate before they are computed. */
const mockHashes = { running: 0, maxRunning: 0, gate: Promise.resolve() };
jest.mock('node:crypto', () => {
  const { scrypt, ...rest } = jest.requireActual<typeof crypto>('node:crypto');
  const counted = (password: string, salt: Buffer, length: number, options: object, done: Done) => {
    mockHashes.maxRunning = Math.max(mockHashes.maxRunning, (mockHashes.running += 1));
    const finish: Done = (error, key) => {
      mockHashes.running -= 1;
      done(error, key);
    };
    void mockHashes.gate.then(() => scrypt(password, salt, length, options, finish));
  };
  return { ...rest, scrypt: counted };
});

const clock = { ms: Date.parse('2030-01-01T00:00:00Z') };
const now = () => new Date(clock.ms);
type Done = (error: Error | null, key: Buffer) => void;
let database: Awaited<ReturnType<typeof openTestDatabase>>;
let copies: Awaited<ReturnType<typeof startIdentity>>[];
let personCount = 0;

beforeAll(async () => {
  database = await openTestDatabase(20);
  const { db } = database;
  const limit = createDatabaseRateLimit(db, now);
  copies = await Promise.all([startIdentity({ db, now, limit }), startIdentity({ db, now, limit })]);
});
beforeEach(() => void (clock.ms += 3_600_000));
afterAll(async () => {
  await Promise.all(copies.map((copy) => copy.stop()));
  await database.close();
});

const urlOf = (n: number) => String(copies[n % copies.length]?.url);
const codeOf = ({ body }: { body: { error?: { message: string } } }) => body.error?.message.split(' : ')[0];
const login = (email: string, password: string, n = 0, from?: string) =>
  callAccounts(urlOf(n), 'signInWithPassword', { email, password }, from);

async function newPerson(url = urlOf(0)) {
  const email = `person${(personCount += 1)}@ex.com`;
  await callAccounts(url, 'signUp', { email, password: 'secret-1' });
  return email;
}

// Clause C.10.12
test('ten wrong passwords from one network lock the account for that network for five minutes, on all servers', async () => {
  const email = await newPerson();
  for (let n = 0; n < 10; n += 1) expect(codeOf(await login(email, 'wrong-one', n))).toBe('INVALID_LOGIN_CREDENTIALS');

  expect(codeOf(await login(email, 'wrong-one'))).toBe('TOO_MANY_ATTEMPTS_TRY_LATER');
  expect(codeOf(await login(email, 'secret-1', 1))).toBe('TOO_MANY_ATTEMPTS_TRY_LATER');
  expect((await login(await newPerson(), 'secret-1')).status).toBe(200);
  clock.ms += 301_000;
  expect((await login(email, 'secret-1')).status).toBe(200);
});

test('the owner of an account can sign in from another network while an attacker guesses its password', async () => {
  const email = await newPerson();
  const guess = (n: number) => login(email, `guess-${n}`, n, '203.0.113.9');
  for (let n = 0; n < 40; n += 1) await guess(n);
  expect(codeOf(await guess(40))).toBe('TOO_MANY_ATTEMPTS_TRY_LATER');
  expect((await login(email, 'secret-1', 0, '198.51.100.7')).status).toBe(200);
  expect((await login(email, 'secret-1', 1, '2001:db8:1:2::7')).status).toBe(200);
});

test('a thousand wrong passwords in an hour from many networks lock the account', async () => {
  const email = await newPerson();
  await login(email, 'wrong-one', 0, '203.0.113.250');
  const buckets = await database.db.select({ bucket: rateLimits.bucket }).from(rateLimits);
  expect(buckets.map(({ bucket }) => bucket)).toContainEqual(
    expect.stringMatching(/^identity:sign-in:account-hour:[\w-]{43}$/),
  );
  expect(JSON.stringify(buckets)).not.toContain(email);
  const ofAccount = like(rateLimits.bucket, 'identity:sign-in:account-hour:%');
  await database.db.update(rateLimits).set({ hits: 995 }).where(ofAccount);
  const codes = [];
  for (let n = 0; n < 6; n += 1) codes.push(codeOf(await login(email, 'wrong-one', n, `203.0.113.${n}`)));
  expect(codes).toEqual([...Array<string>(5).fill('INVALID_LOGIN_CREDENTIALS'), 'TOO_MANY_ATTEMPTS_TRY_LATER']);
  clock.ms += 301_000;
  expect(codeOf(await login(email, 'secret-1', 0, '198.51.100.7'))).toBe('TOO_MANY_ATTEMPTS_TRY_LATER');
  clock.ms += 3_300_000;
  expect((await login(email, 'secret-1', 0, '198.51.100.7')).status).toBe(200);
});

test('an email without an account is also locked after ten wrong passwords', async () => {
  for (let n = 0; n < 10; n += 1) await login('nobody@ex.com', 'wrong-one', n);
  expect(codeOf(await login('NOBODY@ex.com', 'wrong-one'))).toBe('TOO_MANY_ATTEMPTS_TRY_LATER');
});

test('simultaneous sign-ins get no more tries than sequential ones', async () => {
  const email = await newPerson();
  const responses = await Promise.all(Array.from({ length: 40 }, (_, n) => login(email, 'wrong-one', n)));
  expect(responses.filter((response) => codeOf(response) === 'INVALID_LOGIN_CREDENTIALS')).toHaveLength(10);
});

test('one network can try at most 100 passwords in five minutes, whatever the accounts', async () => {
  const limit = createDatabaseRateLimit(database.db, now);
  for (let n = 0; n < 90; n += 1) await limit('identity:sign-in:ip:127.0.0.1', 100, 300);
  const tries = Array.from({ length: 20 }, (_, n) => login(`someone${n}@ex.com`, 'password1', n));
  const refused = (await Promise.all(tries)).filter((response) => codeOf(response) === 'TOO_MANY_ATTEMPTS_TRY_LATER');
  expect(refused).toHaveLength(10);
});

// Clause C.6.22
test('the number of sign-ups from one network is limited, and the response says when to retry', async () => {
  const limit = createDatabaseRateLimit(database.db, now);
  for (let n = 0; n < 100; n += 1) await limit('identity:sign-up:ip:127.0.0.1', 100, 600);
  const response = await fetch(`${urlOf(0)}/identitytoolkit.googleapis.com/v1/accounts:signUp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'one.more@ex.com', password: 'secret-1' }),
  });
  expect([response.status, response.headers.get('retry-after')]).toEqual([400, '600']);
  expect(codeOf(await callAccounts(urlOf(1), 'signUp', { email: 'one.more@ex.com', password: 'secret-1' }))).toBe(
    'TOO_MANY_ATTEMPTS_TRY_LATER',
  );
});

test('a rate limit is exact even for simultaneous requests, and resets after its window', async () => {
  const limit = createDatabaseRateLimit(database.db, now);
  const hit = () => limit('some-bucket', 25, 60);
  const results = await Promise.all(Array.from({ length: 100 }, hit));
  expect(results.filter(({ ok }) => ok)).toHaveLength(25);
  expect(await hit()).toEqual({ ok: false, retryAfterSeconds: 60 });
  clock.ms += 59_500;
  expect(await hit()).toEqual({ ok: false, retryAfterSeconds: 1 });
  clock.ms += 500;
  expect(await hit()).toEqual({ ok: true, retryAfterSeconds: 0 });
});

test('during a burst of logins at most two passwords are hashed at a time, which leaves threads for other work', async () => {
  const { url, stop } = await startIdentity({ db: database.db });
  const emails = await Promise.all([newPerson(url), newPerson(url), newPerson(url)]);
  mockHashes.maxRunning = 0;
  let openGate = () => {};
  mockHashes.gate = new Promise((resolve) => (openGate = resolve));
  const burst = emails.flatMap((email) =>
    Array.from({ length: 4 }, () => callAccounts(url, 'signInWithPassword', { email, password: 'secret-1' })),
  );
  await waitUntil(() => mockHashes.running >= 2);
  openGate();
  expect((await Promise.all(burst)).map(({ status }) => status)).toEqual(Array(12).fill(200));
  expect(mockHashes.maxRunning).toBe(2);
  await stop();
});
