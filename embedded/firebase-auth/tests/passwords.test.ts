import { randomBytes, scryptSync } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { DEMO_ACCOUNTS, DEMO_PASSWORD } from '../../../src/contract/demo';
import { COMMON_PASSWORD } from '../../../src/contract/identityMessages';
import { identityAccounts } from '../../../server/db/schema';
import { PASSWORD_COST } from '../passwords';
import { call, startIdentity } from '../../../__tests__/support/identity';
import { startShop } from '../../../__tests__/support/shop';

const WEAK = `WEAK_PASSWORD : ${COMMON_PASSWORD}`;
let service: Awaited<ReturnType<typeof startIdentity>>;
let real: Awaited<ReturnType<typeof startIdentity>>;
let people = 0;

beforeAll(async () => {
  service = await startIdentity();
  real = await startIdentity({ db: service.db, passwordCost: PASSWORD_COST });
});
afterAll(async () => {
  await real.stop();
  await service.stop();
});

const message = ({ body }: { body: { error?: { message: string } } }) => body.error?.message;
const login = (email: string, password: string) => call(real.url, 'signInWithPassword', { email, password });

async function newPerson(password = 'secret-1', url = service.url) {
  const email = `person${(people += 1)}@ex.com`;
  const { body } = await call(url, 'signUp', { email, password, returnSecureToken: true });
  return { email, idToken: String(body.idToken) };
}

const accountOf = async (email: string) =>
  (await service.db.select().from(identityAccounts).where(eq(identityAccounts.email, email)))[0]!;

/** As the version before stored it: N = 2^15. */
async function giveOldHash(email: string, password: string) {
  const salt = randomBytes(16);
  const hash = scryptSync(password, salt, 32, { N: 2 ** 15, r: 8, p: 1, maxmem: 2 ** 26 });
  const passwordHash = ['scrypt', 15, 8, 1, salt.toString('base64url'), hash.toString('base64url')].join('$');
  await service.db.update(identityAccounts).set({ passwordHash }).where(eq(identityAccounts.email, email));
}

test('a new password is hashed with N = 2^17', async () => {
  const { email } = await newPerson('secret-1', real.url);
  expect((await accountOf(email)).passwordHash).toMatch(/^scrypt\$17\$8\$1\$[\w-]{22}\$[\w-]{43}$/);
  expect((await login(email, 'secret-1')).status).toBe(200);
});

test('a hash of the version before still opens the account, and the sign-in replaces it', async () => {
  const { email } = await newPerson();
  await giveOldHash(email, 'secret-1');
  expect(message(await login(email, 'wrong-one'))).toBe('INVALID_LOGIN_CREDENTIALS');
  expect((await accountOf(email)).passwordHash).toMatch(/^scrypt\$15\$/);

  const both = await Promise.all([login(email, 'secret-1'), login(email, 'secret-1')]);
  expect(both.map(({ status }) => status)).toEqual([200, 200]);
  expect((await accountOf(email)).passwordHash).toMatch(/^scrypt\$17\$/);
  expect((await login(email, 'secret-1')).status).toBe(200);
});

test('the time of an answer does not tell an unknown account from a known one, nor from one with an old hash', async () => {
  const [known, old] = [await newPerson('secret-1', real.url), await newPerson()];
  await giveOldHash(old.email, 'secret-1');
  const timed = async (email: string) => {
    const started = performance.now();
    expect(message(await login(email, 'wrong-one'))).toBe('INVALID_LOGIN_CREDENTIALS');
    return performance.now() - started;
  };
  const emails = [known.email, old.email, 'nobody@ex.com'];
  const least = emails.map(() => Infinity);
  // In turns: a moment in which the machine is slow affects all of them.
  for (let n = 0; n < 4; n += 1)
    for (const [i, email] of emails.entries()) least[i] = Math.min(least[i]!, await timed(email));
  const [ofKnown, ofOld, ofUnknown] = least as [number, number, number];
  expect(ofUnknown / ofKnown).toBeGreaterThan(0.6);
  expect(ofUnknown / ofKnown).toBeLessThan(1.7);
  expect(ofOld / ofUnknown).toBeGreaterThan(0.6);
  expect(ofOld / ofUnknown).toBeLessThan(1.7);
}, 60_000);

test.each(['password1', 'secret1', '123456', 'qwerty', 'PassWord1'])('%s is refused at sign-up', async (password) => {
  const answer = await call(service.url, 'signUp', { email: 'common@ex.com', password });
  expect([answer.status, message(answer)]).toEqual([400, WEAK]);
  expect(await service.db.$count(identityAccounts, eq(identityAccounts.email, 'common@ex.com'))).toBe(0);
});

test('a common password is refused at a password change, and the old one stays', async () => {
  const { email, idToken } = await newPerson();
  expect(message(await call(service.url, 'update', { idToken, password: 'dragon' }))).toBe(WEAK);
  expect(message(await call(service.url, 'update', { idToken, password: 'Dragon' }))).toBe(WEAK);
  expect((await call(service.url, 'signInWithPassword', { email, password: 'secret-1' })).status).toBe(200);
});

test('somebody who has had a common password for long still signs in', async () => {
  const { email } = await newPerson();
  await giveOldHash(email, 'dragon');
  expect((await login(email, 'dragon')).status).toBe(200);
});

test('the demo accounts are there when the shop is ready', async () => {
  const shop = await startShop({ env: { DEMO: 'on' }, passwordCost: PASSWORD_COST });
  try {
    for (const { email } of DEMO_ACCOUNTS) {
      const { status } = await call(shop.origin, 'signInWithPassword', { email, password: DEMO_PASSWORD });
      expect(status).toBe(200);
    }
  } finally {
    await shop.close();
  }
});
