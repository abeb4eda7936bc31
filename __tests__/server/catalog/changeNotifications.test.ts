import { randomUUID } from 'node:crypto';
import { openChangeBroadcast, type ChangeBroadcast } from '../../../server/catalog/changeNotifications';
import { isMinimalDatabase } from '../../support/database';
import { openTestDatabase } from '../../support/identity';

const itWithNotifications = isMinimalDatabase ? it.skip : it;

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
itWithNotifications.each([1, 50, 170, 178, 185, 1000])(
  'another server is notified of %d simultaneous changes to the catalog',
  async (count) => {
    await broadcast(Array.from({ length: count }, () => randomUUID()));
  },
);

itWithNotifications(
  'a few changes are broadcast with their ids, so that other servers reload only those rows',
  async () => {
    expect(await broadcast([randomUUID(), randomUUID()])).toBe('each');
  },
);
