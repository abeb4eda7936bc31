import type * as crypto from 'node:crypto';
import { stat } from 'node:fs/promises';
import { databaseRateLimit } from '../../server/limits';
import { call, openDatabase, startIdentity } from '../support/identity';

const mockHashes = { now: 0, most: 0 };
jest.mock('node:crypto', () => {
  const { scrypt, ...rest } = jest.requireActual<typeof crypto>('node:crypto');
  const counted = (password: string, salt: Buffer, length: number, options: object, done: Done) => {
    mockHashes.most = Math.max(mockHashes.most, (mockHashes.now += 1));
    scrypt(password, salt, length, options, (error, key) => {
      mockHashes.now -= 1;
      done(error, key);
    });
  };
  return { ...rest, scrypt: counted };
});

const clock = { ms: Date.parse('2030-01-01T00:00:00Z') };
const now = () => new Date(clock.ms);
type Done = (error: Error | null, key: Buffer) => void;
let database: Awaited<ReturnType<typeof openDatabase>>;
let copies: Awaited<ReturnType<typeof startIdentity>>[];
let people = 0;

beforeAll(async () => {
  database = await openDatabase(20);
  const { db } = database;
  const limit = databaseRateLimit(db, now);
  copies = await Promise.all([startIdentity({ db, now, limit }), startIdentity({ db, now, limit })]);
});
beforeEach(() => void (clock.ms += 3_600_000));
afterAll(async () => {
  await Promise.all(copies.map((copy) => copy.stop()));
  await database.close();
});

const urlOf = (n: number) => String(copies[n % copies.length]?.url);
const code = ({ body }: { body: { error?: { message: string } } }) => body.error?.message.split(' : ')[0];
const login = (email: string, password: string, n = 0) => call(urlOf(n), 'signInWithPassword', { email, password });

async function newPerson() {
  const email = `person${(people += 1)}@ex.com`;
  await call(urlOf(0), 'signUp', { email, password: 'secret1' });
  return email;
}

test('ten wrong passwords close an account for a while, over all copies of the server', async () => {
  const email = await newPerson();
  for (let n = 0; n < 10; n += 1) expect(code(await login(email, 'wrong-one', n))).toBe('INVALID_LOGIN_CREDENTIALS');

  expect(code(await login(email, 'wrong-one'))).toBe('TOO_MANY_ATTEMPTS_TRY_LATER');
  expect(code(await login(email, 'secret1', 1))).toBe('TOO_MANY_ATTEMPTS_TRY_LATER');
  expect((await login(await newPerson(), 'secret1')).status).toBe(200);
  clock.ms += 301_000;
  expect((await login(email, 'secret1')).status).toBe(200);
});

test('an account that does not exist closes alike', async () => {
  for (let n = 0; n < 10; n += 1) await login('nobody@ex.com', 'wrong-one', n);
  expect(code(await login('NOBODY@ex.com', 'wrong-one'))).toBe('TOO_MANY_ATTEMPTS_TRY_LATER');
});

test('a burst gets no more tries than a queue', async () => {
  const email = await newPerson();
  const answers = await Promise.all(Array.from({ length: 40 }, (_, n) => login(email, 'wrong-one', n)));
  expect(answers.filter((answer) => code(answer) === 'INVALID_LOGIN_CREDENTIALS')).toHaveLength(10);
});

test('right passwords are not counted', async () => {
  const email = await newPerson();
  for (let n = 0; n < 12; n += 1) expect((await login(email, 'secret1', n)).status).toBe(200);
});

test('one address cannot try one password on everybody', async () => {
  const limit = databaseRateLimit(database.db, now);
  for (let n = 0; n < 90; n += 1) await limit('identity:sign-in:ip:127.0.0.1', 100, 300);
  const tries = Array.from({ length: 20 }, (_, n) => login(`someone${n}@ex.com`, 'password1', n));
  const refused = (await Promise.all(tries)).filter((answer) => code(answer) === 'TOO_MANY_ATTEMPTS_TRY_LATER');
  expect(refused).toHaveLength(10);
});

test('sign-ups of one address are limited, and a refusal says for how long', async () => {
  const limit = databaseRateLimit(database.db, now);
  for (let n = 0; n < 100; n += 1) await limit('identity:sign-up:ip:127.0.0.1', 100, 600);
  const response = await fetch(`${urlOf(0)}/identitytoolkit.googleapis.com/v1/accounts:signUp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'one.more@ex.com', password: 'secret1' }),
  });
  expect([response.status, response.headers.get('retry-after')]).toEqual([400, '600']);
  expect(code(await call(urlOf(1), 'signUp', { email: 'one.more@ex.com', password: 'secret1' }))).toBe(
    'TOO_MANY_ATTEMPTS_TRY_LATER',
  );
});

test('a limit counts exactly under concurrency, and begins anew when its time is over', async () => {
  const limit = databaseRateLimit(database.db, now);
  const hit = () => limit('some-bucket', 25, 60);
  const answers = await Promise.all(Array.from({ length: 100 }, hit));
  expect(answers.filter(({ ok }) => ok)).toHaveLength(25);
  expect(await hit()).toEqual({ ok: false, retryAfterSeconds: 60 });
  clock.ms += 59_500;
  expect(await hit()).toEqual({ ok: false, retryAfterSeconds: 1 });
  clock.ms += 500;
  expect(await hit()).toEqual({ ok: true, retryAfterSeconds: 0 });
});

test('a burst of logins leaves room for other work, and no more than two are at it at once', async () => {
  const emails = await Promise.all([newPerson(), newPerson(), newPerson()]);
  let letIn = 0;
  const burst = emails.flatMap((email) =>
    Array.from({ length: 10 }, (_, n) => login(email, 'secret1', n).finally(() => (letIn += 1))),
  );
  await new Promise((resume) => setTimeout(resume, 300));
  const earlier = letIn;
  await stat(__filename);
  const meanwhile = letIn - earlier;
  const answers = await Promise.all(burst);

  expect(answers.map(({ status }) => status)).toEqual(Array(30).fill(200));
  expect(meanwhile).toBeLessThan(8);
  expect(mockHashes.most).toBe(2);
});
