import { randomUUID } from 'node:crypto';
import { openChangeBroadcast, type ChangeBroadcast } from '../../../server/catalog/changeNotifications';
import { openPool } from '../../../server/db/database';
import { urlOf } from '../../support/database';
import { openTestDatabase } from '../../support/identity';
import { startPostgresProxy } from '../../support/postgresProxy';
import { expectEventually } from '../../support/wait';

let database: Awaited<ReturnType<typeof openTestDatabase>>;
let sender: ChangeBroadcast;
let receiver: ChangeBroadcast;
let received: Set<string>;
let onNotification: () => void;
let onSendError: (error: Error) => void;
beforeAll(async () => {
  database = await openTestDatabase();
  received = new Set();
  const onChange = (table: string, id?: string) => {
    received.add(id ?? table);
    onNotification();
  };
  sender = await openChangeBroadcast(
    database.db,
    () => {},
    (error) => onSendError(error),
  );
  receiver = await openChangeBroadcast(database.db, onChange, () => {});
});
afterAll(async () => {
  await receiver.close();
  await sender.close();
  await database.close();
});

/**
 * Sends one change per review and waits until the other server has received them.
 * @returns 'each' if every id was received, 'all' if one notification without ids replaced them
 */
async function broadcast(ids: string[]): Promise<'each' | 'all'> {
  received.clear();
  const notified = new Promise<'each' | 'all'>((resolve, reject) => {
    onSendError = reject;
    onNotification = () => {
      if (received.has('reviews')) resolve('all');
      else if (ids.every((id) => received.has(id))) resolve('each');
    };
  });
  for (const id of ids) sender.send('reviews', id);
  return notified;
}

// A notification has at most 8,000 bytes: about 177 ids of reviews.
it.each([1, 50, 170, 178, 185, 1000])(
  'another server is notified of %d simultaneous changes to the catalog',
  async (count) => {
    await broadcast(Array.from({ length: count }, () => randomUUID()));
  },
);

it('a few changes are broadcast with their ids, so that other servers reload only those rows', async () => {
  expect(await broadcast([randomUUID(), randomUUID()])).toBe('each');
});

it.each([
  [100, 'each'],
  [101, 'all'],
])('%d changes are broadcast with %s id', async (count, expected) => {
  expect(await broadcast(Array.from({ length: count }, () => randomUUID()))).toBe(expected);
});

/** Opens another broadcast and collects what it reports. */
async function openCollector(db = database.db) {
  const [changes, errors]: [(string | undefined)[][], Error[]] = [[], []];
  const { send, close } = await openChangeBroadcast(
    db,
    (...change) => changes.push(change),
    (error) => errors.push(error),
  );
  return { changes, errors, send, close };
}

describe('A server', () => {
  let [one, other]: Awaited<ReturnType<typeof openCollector>>[] = [];
  beforeEach(async () => void ([one, other] = [await openCollector(), await openCollector()]));
  afterEach(async () => {
    await one!.close();
    await other!.close();
  });

  it('is notified of each table and row that another server changes, but not of its own', async () => {
    one!.send('tools', 'a');
    one!.send('reviews');
    await expectEventually(
      () => other!.changes,
      [
        ['tools', 'a'],
        ['reviews', undefined],
      ],
    );
    other!.send('reviews', 'b');
    await expectEventually(() => one!.changes, [['reviews', 'b']]);
    expect(other!.changes).toHaveLength(2);
  });

  it('ignores tables that it does not know, and empty notifications', async () => {
    const { $client } = database.db;
    await $client.query(`notify forgeline_catalogue`);
    await $client.query(`notify forgeline_catalogue, 'newer-server customers/1,tools/2'`);
    await expectEventually(() => one!.changes, [['tools', '2']]);
  });

  it('reports a notification that could not be sent, and sends it again', async () => {
    const failure = new Error('the database is unreachable');
    const query = jest.spyOn(database.db.$client, 'query').mockImplementation(() => Promise.reject(failure));
    one!.send('tools', 'a');
    await expectEventually(() => one!.errors.length > 0, true);
    query.mockRestore();
    await expectEventually(() => other!.changes, [['tools', 'a']]);
    expect(one!.errors[0]!.cause).toBe(failure);
  });

  it('sends its last changes when it closes, and then releases its connection', async () => {
    const { $client } = database.db;
    const inUseBefore = $client.totalCount - $client.idleCount;
    const last = await openCollector();
    last.send('tools', 'last');
    await last.close();
    await expectEventually(() => one!.changes, [['tools', 'last']]);
    await expectEventually(() => $client.totalCount - $client.idleCount, inUseBefore);
    one!.send('tools', 'after');
    await expectEventually(() => other!.changes.length, 2);
    expect(last.changes).toEqual([]);
  });

  it('whose connection breaks reports failed attempts, reconnects and reloads all tables', async () => {
    const { $client } = database.db;
    const client = await $client.connect();
    const connect = jest.spyOn($client, 'connect').mockImplementation(() => Promise.reject(new Error('refused')));
    await client.query(`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and query like '%pg_stat_user_tables%' and pid <> pg_backend_pid()`);
    client.release();
    for (const { errors } of [one!, other!])
      await expectEventually(() => errors.slice(0, 1), [expect.objectContaining({ message: 'refused' })]);
    connect.mockRestore();
    for (const { changes } of [one!, other!]) await expectEventually(() => changes, [['tools'], ['reviews']]);
    one!.send('tools', 'a');
    await expectEventually(() => other!.changes.at(-1), ['tools', 'a']);
  });
});

it('a server does not start on a database without LISTEN, and leaves no connection open', async () => {
  const proxy = await startPostgresProxy(urlOf(database.connection), {
    rewrite: (sql) => sql.replace(/^listen .*/, 'missing feature'),
  });
  const db = openPool({ connectionString: proxy.url }, () => undefined, 2);
  await expect(openCollector(db)).rejects.toThrow(/missing/);
  expect(db.$client.totalCount).toBe(0);
  await db.$client.end();
  await proxy.stop();
});
