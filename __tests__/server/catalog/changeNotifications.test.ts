import { randomUUID } from 'node:crypto';
import { openChangeBroadcast, type ChangeBroadcast } from '../../../server/catalog/changeNotifications';
import { openDatabase } from '../../support/identity';

let database: Awaited<ReturnType<typeof openDatabase>>;
let sender: ChangeBroadcast;
let receiver: ChangeBroadcast;
let heard: Set<string>;
let onWord: () => void;
let onTrouble: (error: Error) => void;
beforeAll(async () => {
  database = await openDatabase();
  heard = new Set();
  const hear = (part: string, id?: string) => {
    heard.add(id ?? part);
    onWord();
  };
  sender = await openChangeBroadcast(
    database.db,
    () => {},
    (error) => onTrouble(error),
  );
  receiver = await openChangeBroadcast(database.db, hear, () => {});
});
afterAll(async () => {
  await receiver.close();
  await sender.close();
  await database.close();
});

/** Ends when another copy has heard of every one of these reviews, or of all reviews. */
async function arrive(ids: string[]): Promise<'each' | 'all'> {
  heard.clear();
  const arrived = new Promise<'each' | 'all'>((resolve, reject) => {
    onTrouble = reject;
    onWord = () => {
      if (heard.has('reviews')) resolve('all');
      else if (ids.every((id) => heard.has(id))) resolve('each');
    };
  });
  for (const id of ids) sender.send('reviews', id);
  return arrived;
}

// A notification has at most 8,000 bytes: about 177 ids of reviews.
it.each([1, 50, 170, 178, 185, 1000])('another copy hears of %d changes at once', async (many) => {
  await arrive(Array.from({ length: many }, () => randomUUID()));
});

it('a few changes are broadcast one by one, so that a copy reads only those', async () => {
  expect(await arrive([randomUUID(), randomUUID()])).toBe('each');
});
