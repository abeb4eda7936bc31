import { sql } from 'drizzle-orm';
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import { openPool, type Db } from '../../../server/db/database';
import { getPublicKeys } from '../signingKeys';
import { identityKeys } from '../schema';
import { lockInTransaction } from '../../../server/db/locks';
import { waitUntilBlocked } from '../../../__tests__/support/database';
import { openTestDatabase, startIdentity } from '../../../__tests__/support/identity';
import { callAccounts } from '../../../__tests__/support/customers';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const password = 'secret-1';

/** Reads the keys that every instance of the service on this database publishes. */
const readPublicKeys = (db: Db, at = new Date()) =>
  getPublicKeys({ db, lockKeys: (tx) => lockInTransaction(tx, 'identity keys'), now: () => at });
const kids = ({ keys }: { keys: { kid?: string }[] }) => keys.map(({ kid }) => kid);

test('a signing key is used for 30 days and stays published until its tokens have expired', async () => {
  const clock = { ms: Date.parse('2030-01-01T00:00:00Z') };
  const now = () => new Date(clock.ms);
  const { url, db, stop } = await startIdentity({ now });
  const login = async () => {
    const { body } = await callAccounts(url, 'signInWithPassword', { email: 'a@ex.com', password });
    return String(body.idToken);
  };
  await callAccounts(url, 'signUp', { email: 'a@ex.com', password });
  clock.ms += 30 * DAY_MS - 1;
  const lastOfOldKey = await login();
  clock.ms += 1;
  const firstOfNewKey = await login();

  const [older, newer] = [lastOfOldKey, firstOfNewKey].map((token) => decodeProtectedHeader(token).kid);
  expect(newer).not.toBe(older);
  const publishedKeys = await readPublicKeys(db, now());
  expect(kids(publishedKeys)).toEqual([newer, older]);
  await jwtVerify(lastOfOldKey, createLocalJWKSet(publishedKeys), { currentDate: now() });
  expect((await callAccounts(url, 'lookup', { idToken: lastOfOldKey })).status).toBe(200);

  clock.ms += 2 * HOUR_MS - 1;
  expect(kids(await readPublicKeys(db, now()))).toEqual([newer, older]);
  clock.ms += 1;
  expect(kids(await readPublicKeys(db, now()))).toEqual([newer]);
  clock.ms += 30 * DAY_MS;
  await login();
  expect(await db.select().from(identityKeys)).toHaveLength(2);
  await stop();
});

test('servers that start at the same time without a signing key agree on a single key', async () => {
  const { db, connection, close } = await openTestDatabase();
  await db.delete(identityKeys);
  const patientConnection = { ...connection, options: '-c lock_timeout=60s', query_timeout: 60_000 };
  const copies = Array.from({ length: 6 }, () => openPool(patientConnection, () => undefined, 4));
  let sets: ReturnType<typeof readPublicKeys>[] = [];
  await db.transaction(async (tx) => {
    // On a busy machine, the six keys take longer than an idle transaction may last.
    await tx.execute(sql`set local idle_in_transaction_session_timeout = 0`);
    await lockInTransaction(tx, 'identity keys');
    sets = copies.map((copy) => readPublicKeys(copy));
    await waitUntilBlocked({ db }, copies.length);
  });

  expect(new Set((await Promise.all(sets)).flatMap(kids)).size).toBe(1);
  expect(await db.select().from(identityKeys)).toHaveLength(1);
  await Promise.all(copies.map((copy) => copy.$client.end()));
  await close();
});
