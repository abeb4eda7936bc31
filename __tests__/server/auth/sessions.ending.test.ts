import { eq } from 'drizzle-orm';
import { endedSessions, users } from '../../../server/db/schema';
import { forgetEndedSessions } from '../../../server/auth/sessions';
import { callShop, putUser } from '../../support/api';
import { newEmail } from '../../support/customers';
import { collectLog, type ShopWithGoogle, startShopWithGoogle } from '../../support/shop';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
/** Half a second past a full one. */
const START = Math.floor(Date.now() / SECOND) * SECOND + 500;
let clock = START;
const log = collectLog();
let shop: ShopWithGoogle;
beforeAll(async () => {
  shop = await startShopWithGoogle({ now: () => new Date(clock), logger: log.logger });
});
beforeEach(() => void (clock = START));
afterAll(() => shop.close());

const seconds = () => Math.floor(clock / SECOND);
const arrive = (email: string, signedInAgo: number) => shop.arrive(email, { auth_time: seconds() - signedInAgo });
async function tokenOf(email: string, signedInAgo: number) {
  const { body } = await arrive(email, signedInAgo);
  return String(body.token);
}
const signOut = (token?: string) => callShop(shop.origin, '/session', { method: 'DELETE', token });
const statusOf = async (email: string, token: string) => (await shop.call(`/admin/${email}`, { token })).status;

describe('DELETE /session', () => {
  // Clause C.11.6
  test('ends every token of this sign-in at once, and no other session of the same person', async () => {
    const email = newEmail('leaver');
    const [token, sameSession, otherBrowser] = [
      await tokenOf(email, 100),
      await tokenOf(email, 100),
      await tokenOf(email, 50),
    ];
    clock += 1;
    expect((await signOut(token)).status).toBe(204);
    expect([await statusOf(email, token), await statusOf(email, sameSession)]).toEqual([401, 401]);
    expect(await statusOf(email, otherBrowser)).toBe(200);
    expect((await signOut(token)).status).toBe(401);
  });

  // Clause C.11.6
  test('lets no ID token of that sign-in have a new access token, also a refreshed one', async () => {
    const email = newEmail('refresher');
    await signOut(await tokenOf(email, 100));
    clock += 30 * MINUTE;
    const refreshed = { auth_time: seconds() - 100 - 1800, iat: seconds() };
    expect(await shop.arrive(email, refreshed)).toMatchObject({ status: 401, body: { code: 'token_invalid' } });
    expect((await arrive(email, 10)).status).toBe(200);
  });

  test('takes a new sign-in within the same second for what it is', async () => {
    const email = newEmail('quick');
    const before = await tokenOf(email, 0);
    clock += 200;
    expect((await signOut(before)).status).toBe(204);
    clock += 200;
    const after = await tokenOf(email, 0);
    expect([await statusOf(email, before), await statusOf(email, after)]).toEqual([401, 200]);
  });

  test('ends a token that was issued while the session ended', async () => {
    const email = newEmail('race');
    await signOut(await tokenOf(email, 100));
    clock += 5;
    const authTime = new Date((Math.floor(START / SECOND) - 100) * SECOND);
    const late = shop.deps.tokens.issue(`uid-of-${email}`, { authTime });
    expect(await statusOf(email, late)).toBe(401);
  });

  test('ends a token of the version before, which does not name its session, and none that came later', async () => {
    const email = newEmail('older');
    await tokenOf(email, 100);
    const old = shop.deps.tokens.issue(`uid-of-${email}`);
    clock += 5;
    const later = shop.deps.tokens.issue(`uid-of-${email}`);
    expect((await signOut(old)).status).toBe(204);
    expect([await statusOf(email, old), await statusOf(email, later)]).toEqual([401, 200]);
  });

  test('answers 401 without a token', async () => {
    expect((await signOut()).status).toBe(401);
  });

  test('writes a line that names the person and the network', async () => {
    const email = newEmail('logged');
    await signOut(await tokenOf(email, 100));
    const line = { userId: `uid-of-${email}`, network: '127.0.0.1', level: 30 };
    expect(log.linesOf('session ended').at(-1)).toMatchObject(line);
  });

  test('is forgotten by the sweep after sixty days', async () => {
    const email = newEmail('forgotten');
    await signOut(await tokenOf(email, 100));
    const kept = () => shop.deps.db.$count(endedSessions, eq(endedSessions.userId, `uid-of-${email}`));
    clock += 59 * 24 * 60 * MINUTE;
    await forgetEndedSessions(shop.deps);
    expect(await kept()).toBe(1);
    clock += 2 * 24 * 60 * MINUTE;
    await forgetEndedSessions(shop.deps);
    expect(await kept()).toBe(0);
  });
});

describe('The access token of an admin', () => {
  const setRole = (email: string, role: 'admin' | 'member') =>
    shop.deps.db.update(users).set({ role }).where(eq(users.email, email));
  const claimsOf = (token: string) =>
    JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as { iat: number; exp: number };

  // Clause C.11.2
  test('lives ten minutes', async () => {
    const email = newEmail('boss');
    await tokenOf(email, 10);
    await setRole(email, 'admin');
    const token = await tokenOf(email, 10);
    const { iat, exp } = claimsOf(token);
    expect(exp - Math.floor(iat)).toBe(600);
    clock += 12 * MINUTE;
    expect(await shop.call('/user', { token })).toMatchObject({ status: 401, body: { code: 'token_expired' } });
  });

  // Clause C.11.2
  test('is refused after ten minutes, too, when it was issued before the promotion', async () => {
    const email = newEmail('promoted');
    const token = await tokenOf(email, 10);
    clock += 12 * MINUTE;
    expect(await statusOf(email, token)).toBe(200);
    await setRole(email, 'admin');
    expect(await shop.call('/user', { token })).toMatchObject({ status: 401, body: { code: 'token_expired' } });
    expect(await shop.call('/user', { token: await tokenOf(email, 800) })).toMatchObject({ status: 200 });
    await setRole(email, 'member');
    expect(await statusOf(email, token)).toBe(200);
  });
});

test('a person who signs out cannot keep an ID token for later', async () => {
  const email = newEmail('keeper');
  const idToken = await shop.idToken(email, { auth_time: seconds() - 100 });
  const { body } = await putUser(shop.origin, email, idToken);
  await signOut(String(body.token));
  expect((await putUser(shop.origin, email, idToken)).status).toBe(401);
});
