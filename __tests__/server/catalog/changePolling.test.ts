import { setTimeout as sleep } from 'node:timers/promises';
import { startChangePolling } from '../../../server/catalog/changePolling';
import { reviews, tools } from '../../../server/db/schema';
import { openTestDatabase } from '../../support/identity';
import { expectEventually } from '../../support/wait';

/** Longer than the pause between two checks. */
const NEXT_CHECK_MS = 1_300;
const TOOL = { name: 'Saw', price: 1, minimumOrderQuantity: 1, description: 'a', img: '/a.svg' };
const STOCK = { availableQuantity: 1, stockedQuantity: 1 };

let database: Awaited<ReturnType<typeof openTestDatabase>>;
let changes: [table: string, id?: string][];
let errors: Error[];
let polling: ReturnType<typeof startChangePolling>;
beforeAll(async () => {
  database = await openTestDatabase();
});
beforeEach(async () => {
  [changes, errors] = [[], []];
  polling = startChangePolling(
    database.db,
    (...change) => changes.push(change),
    (error) => errors.push(error),
  );
  await expectEventually(() => changes, [['tools'], ['reviews']]);
  changes = [];
});
afterEach(() => polling.close());
afterAll(() => database.close());

describe('On a database without LISTEN, a server', () => {
  it('learns within seconds which table another server has changed, and of nothing else', async () => {
    await database.db.insert(tools).values({ ...TOOL, ...STOCK });
    await expectEventually(() => changes, [['tools']], 5_000);
    await database.db.update(tools).set({ price: 2 });
    await expectEventually(() => changes, [['tools'], ['tools']], 5_000);
    await database.db.insert(reviews).values({ name: 'Ann', description: 'a', ratings: 5, img: '/a.svg' });
    await expectEventually(() => changes, [['tools'], ['tools'], ['reviews']], 5_000);
    expect(errors).toEqual([]);
  });

  it('reports a failed check and learns of the change at the next check', async () => {
    const failure = new Error('the database is unreachable');
    const query = jest.spyOn(database.db.$client, 'query').mockImplementation(() => Promise.reject(failure));
    await expectEventually(() => errors.length > 0, true, 5_000);
    query.mockRestore();
    await database.db.insert(tools).values({ ...TOOL, ...STOCK });
    await expectEventually(() => changes, [['tools']], 5_000);
    expect(new Set(errors)).toEqual(new Set([failure]));
  });

  it('stops looking for changes when it closes, without waiting for the next check', async () => {
    const startedAt = performance.now();
    await polling.close();
    expect(performance.now() - startedAt).toBeLessThan(500);
    await database.db.update(tools).set({ price: 3 });
    await sleep(NEXT_CHECK_MS);
    expect([changes, errors]).toEqual([[], []]);
  });
});
