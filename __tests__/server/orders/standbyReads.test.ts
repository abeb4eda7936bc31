import { createTestDatabase } from '../../support/database';
import { openOrderTestKit } from '../../support/orders';
import { advanceMonotonicClock, collectLog, startShop } from '../../support/shop';
import { startPrimaryAndStandby } from './standbyPostgres';
import { expectEventually } from '../../support/wait';
import type { Order } from '../../../src/contract/entities';

let databases: Awaited<ReturnType<typeof startPrimaryAndStandby>>;
let kit: Awaited<ReturnType<typeof openOrderTestKit>>;
let copy: Awaited<ReturnType<typeof startShop>>;
let env: Record<string, string>;
const { logger, lines } = collectLog();
beforeAll(async () => {
  databases = await startPrimaryAndStandby();
  const { primary, standby } = databases;
  env = { DATABASE_URL: primary.url, DATABASE_READ_URL: standby.url };
  kit = await openOrderTestKit({ env, connection: primary.connection, logger });
  copy = await startShop({ env, connection: primary.connection });
});
afterAll(async () => {
  jest.restoreAllMocks();
  await copy.close();
  await kit.close();
  await databases.close();
});

type Customer = Awaited<ReturnType<typeof kit.createCustomer>>;

const place = async (customer: Customer) => {
  const { id: toolId, name: productName } = await kit.createTool();
  return (await kit.placeOrder(customer, { productName, toolId, totalQuantity: 1 })).body._id;
};

const listOrdersAt = async (origin: string, { token }: Customer, query: string): Promise<string[]> => {
  const response = await fetch(`${origin}/order?${query}`, { headers: { authorization: `Bearer ${token}` } });
  expect(response.status).toBe(200);
  return ((await response.json()) as Order[]).map(({ _id }) => _id);
};
const listOwnOrders = (customer: Customer, origin = kit.origin) =>
  listOrdersAt(origin, customer, `email=${encodeURIComponent(customer.email)}`);

/** Counts the connections of the standby whose last statement read orders. */
const countReaders = async () => {
  const { rows } = await databases.standby.query(
    `select count(*)::int as n from pg_stat_activity where query like '%from "orders"%' and pid <> pg_backend_pid()`,
  );
  return rows[0]!['n'] as number;
};

const STANDBY_WARNING = 'standby cannot be used, reading lists from the primary';
const countWarnings = () => lines.filter(({ msg }) => msg === STANDBY_WARNING).length;
const countRecoveries = () => lines.filter(({ msg }) => msg === 'reading lists from the standby again').length;

let offsetMs = 0;
/** Ends the five seconds after a failure of the standby during which the primary serves all lists. */
function skipPause(): void {
  offsetMs += 6_000;
  advanceMonotonicClock(offsetMs);
}

describe('With a standby in DATABASE_READ_URL, lists of orders', () => {
  it("come from the standby, including the admin's pages, searches and counts", async () => {
    const [customer, admin] = [await kit.createCustomer(), await kit.createCustomer('admin')];
    const id = await place(customer);
    expect(await listOwnOrders(customer)).toEqual([id]);
    expect(await countReaders()).toBeGreaterThan(0);
    expect(await listOrdersAt(kit.origin, admin, 'limit=5')).toContain(id);
    expect(await listOrdersAt(kit.origin, admin, `q=${id}`)).toEqual([id]);
    expect((await kit.call<Record<string, number>>(admin, 'GET', '/order/counts')).body['unpaid']).toBeGreaterThan(0);
    expect(countWarnings()).toBe(0);
  });

  it('contain what was just written, on every server, even if the standby is behind', async () => {
    await databases.standby.query(`alter system set recovery_min_apply_delay = '40ms'`);
    await databases.standby.query('select pg_reload_conf()');
    const customer = await kit.createCustomer();
    const placed: string[] = [];
    for (let n = 0; n < 20; n++) {
      placed.unshift(await place(customer));
      expect(await listOwnOrders(customer, n % 2 ? kit.origin : copy.origin)).toEqual(placed);
      await kit.call(customer, 'DELETE', `/order/${placed.pop()}`);
      expect(await listOwnOrders(customer, n % 2 ? copy.origin : kit.origin)).toEqual(placed);
    }
    await databases.standby.query(`alter system reset recovery_min_apply_delay`);
    await databases.standby.query('select pg_reload_conf()');
  });

  it('come from the primary within 100 ms while the standby is far behind', async () => {
    skipPause();
    const [customer, warnings, recoveries] = [await kit.createCustomer(), countWarnings(), countRecoveries()];
    await databases.standby.query('select pg_wal_replay_pause()');
    const id = await place(customer);
    expect(await listOwnOrders(customer)).toEqual([id]);
    expect(countWarnings()).toBe(warnings + 1);
    const startedAt = performance.now();
    for (let n = 0; n < 20; n++) expect(await listOwnOrders(customer)).toEqual([id]);
    expect((performance.now() - startedAt) / 20).toBeLessThan(100);
    expect(countWarnings()).toBe(warnings + 1);
    await databases.standby.query('select pg_wal_replay_resume()');
    skipPause();
    expect(await listOwnOrders(customer)).toEqual([id]);
    expect(countRecoveries()).toBe(recoveries + 1);
  });

  it('come from the primary while the standby is stopped, even if a server starts meanwhile', async () => {
    skipPause();
    const [customer, warnings, recoveries] = [await kit.createCustomer(), countWarnings(), countRecoveries()];
    await databases.standby.stop();
    const id = await place(customer);
    expect(await listOwnOrders(customer)).toEqual([id]);
    expect(countWarnings()).toBe(warnings + 1);
    const otherServer = await startShop({ env, connection: databases.primary.connection });
    expect(await listOwnOrders(customer, otherServer.origin)).toEqual([id]);
    await otherServer.close();
    await databases.standby.start();
    await expectEventually(async () => {
      skipPause();
      expect(await listOwnOrders(customer)).toEqual([id]);
      return countRecoveries();
    }, recoveries + 1);
  });

  it('come from the primary while the standby hangs', async () => {
    skipPause();
    const customer = await kit.createCustomer();
    expect(await listOwnOrders(customer)).toEqual([]);
    const warnings = countWarnings();
    const id = await place(customer);
    databases.standby.signal('STOP');
    const startedAt = Date.now();
    expect(await listOwnOrders(customer)).toEqual([id]);
    expect(Date.now() - startedAt).toBeLessThan(4_000);
    expect(countWarnings()).toBe(warnings + 1);
    databases.standby.signal('CONT');
    skipPause();
    expect(await listOwnOrders(customer)).toEqual([id]);
  });

  it('come from the primary after the standby was promoted', async () => {
    skipPause();
    const [customer, warnings] = [await kit.createCustomer(), countWarnings()];
    await databases.standby.query('select pg_promote()');
    const id = await place(customer);
    expect(await listOwnOrders(customer)).toEqual([id]);
    expect(countWarnings()).toBe(warnings + 1);
  });
});

describe('DATABASE_READ_URL', () => {
  const startShopWith = (url: string) =>
    startShop({ env: { ...env, DATABASE_READ_URL: url }, connection: databases.primary.connection });

  it('cannot name the database of another shop', async () => {
    const otherShop = await startShop();
    await expect(startShopWith(otherShop.database!.url)).rejects.toThrow(
      'DATABASE_READ_URL names the database of another shop. Use a standby of the database in DATABASE_URL.',
    );
    await otherShop.close();
  });

  it('cannot name a database that refuses the login', async () => {
    const database = await createTestDatabase();
    await database.drop();
    await expect(startShopWith(database.url)).rejects.toThrow(
      'DATABASE_READ_URL names a database that refuses the login.',
    );
  });
});
