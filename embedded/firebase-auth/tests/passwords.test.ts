import type * as crypto from 'node:crypto';
import { eq } from 'drizzle-orm';
import { COMMON_PASSWORD_MESSAGE } from '../../../src/contract/identityMessages';
import { identityAccounts } from '../schema';
import { hashPassword, PASSWORD_COST } from '../passwords';
import { CHEAP_PASSWORD_COST, startIdentity } from '../../../__tests__/support/identity';
import { callAccounts } from '../../../__tests__/support/customers';

/** The cost N of each hash that the service computes. The time of a hash is proportional to it. */
const mockCosts: number[] = [];
jest.mock('node:crypto', () => {
  const { scrypt, ...rest } = jest.requireActual<typeof crypto>('node:crypto');
  const recorded = (...args: Parameters<typeof scrypt>) => {
    mockCosts.push(args[3].N!);
    scrypt(...args);
  };
  return { ...rest, scrypt: recorded };
});

const WEAK = `WEAK_PASSWORD : ${COMMON_PASSWORD_MESSAGE}`;
let service: Awaited<ReturnType<typeof startIdentity>>;
let fullCostService: Awaited<ReturnType<typeof startIdentity>>;
let personCount = 0;

beforeAll(async () => {
  service = await startIdentity();
  fullCostService = await startIdentity({ db: service.db, passwordCost: PASSWORD_COST });
});
afterAll(async () => {
  await fullCostService.stop();
  await service.stop();
});

const messageOf = ({ body }: { body: { error?: { message: string } } }) => body.error?.message;
const login = (email: string, password: string, url = fullCostService.url) =>
  callAccounts(url, 'signInWithPassword', { email, password });

async function newPerson(password = 'secret-1', url = service.url) {
  const email = `person${(personCount += 1)}@ex.com`;
  const { body } = await callAccounts(url, 'signUp', { email, password, returnSecureToken: true });
  return { email, idToken: String(body.idToken) };
}

const accountOf = async (email: string) =>
  (await service.db.select().from(identityAccounts).where(eq(identityAccounts.email, email)))[0]!;

// Clause C.10.3
test('a new password is hashed by scrypt with N = 2^17', async () => {
  const { email } = await newPerson('secret-1', fullCostService.url);
  expect((await accountOf(email)).passwordHash).toMatch(/^scrypt\$17\$8\$1\$[\w-]{22}\$[\w-]{43}$/);
  expect((await login(email, 'secret-1')).status).toBe(200);
});

test('a sign-in computes as much for an unknown account as for a known account', async () => {
  const known = await newPerson('secret-1', fullCostService.url);
  for (const email of [known.email, 'nobody@ex.com']) {
    mockCosts.length = 0;
    expect(messageOf(await login(email, 'wrong-one'))).toBe('INVALID_LOGIN_CREDENTIALS');
    expect(mockCosts).toEqual([2 ** 17]);
  }
});

test.each(['password1', 'secret1', '123456', 'qwerty', 'PassWord1'])(
  'the common password %s is refused at sign-up',
  async (password) => {
    const response = await callAccounts(service.url, 'signUp', { email: 'common@ex.com', password });
    expect([response.status, messageOf(response)]).toEqual([400, WEAK]);
    expect(await service.db.$count(identityAccounts, eq(identityAccounts.email, 'common@ex.com'))).toBe(0);
  },
);

test('changing to a common password is refused, and the old password stays valid', async () => {
  const { email, idToken } = await newPerson();
  expect(messageOf(await callAccounts(service.url, 'update', { idToken, password: 'dragon' }))).toBe(WEAK);
  expect(messageOf(await callAccounts(service.url, 'update', { idToken, password: 'Dragon' }))).toBe(WEAK);
  expect((await callAccounts(service.url, 'signInWithPassword', { email, password: 'secret-1' })).status).toBe(200);
});

test('a user who already has a common password can still sign in', async () => {
  const { email } = await newPerson();
  const passwordHash = await hashPassword('dragon', CHEAP_PASSWORD_COST);
  await service.db.update(identityAccounts).set({ passwordHash }).where(eq(identityAccounts.email, email));
  expect((await login(email, 'dragon', service.url)).status).toBe(200);
});
