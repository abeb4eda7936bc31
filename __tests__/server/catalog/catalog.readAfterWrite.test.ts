import { sql } from 'drizzle-orm';
import type { Pool, QueryConfig } from 'pg';
import { openOrderTestKit, type OrderTestKit } from '../../support/orders';
import { expectEventually } from '../../support/wait';

let testKit: OrderTestKit;
beforeAll(async () => {
  testKit = await openOrderTestKit();
});
afterEach(() => jest.restoreAllMocks());
afterAll(() => testKit.close());

/**
 * Delays the queries that read tools for the catalog.
 * @returns a function that ends the delay
 */
function delayToolReads(pool: Pool) {
  let endDelay = () => {};
  const gate = new Promise<void>((resolve) => (endDelay = resolve));
  const query = pool.query.bind(pool) as (...args: unknown[]) => Promise<unknown>;
  const delayedQuery = async (...args: unknown[]) => {
    if (/from "tools"/.test((args[0] as QueryConfig).text ?? '')) await gate;
    return query(...args);
  };
  jest.spyOn(pool, 'query').mockImplementation(delayedQuery as typeof pool.query);
  return endDelay;
}

/** Waits for 50 responses of another route. This takes far longer than a single response that is not delayed. */
async function sendFiftyHealthChecks(): Promise<void> {
  for (let count = 0; count < 50; count++) expect((await testKit.call(null, 'GET', '/healthz')).status).toBe(200);
}

const availableOf = async (id: string) =>
  (await testKit.call<{ availableQuantity: number }>(null, 'GET', `/tool/${id}`)).body.availableQuantity;

describe('A customer', () => {
  async function outcomeWithDelayedReads<T extends { status: number }>(call: () => Promise<T>) {
    const endDelay = delayToolReads(testKit.deps.db.$client);
    const response = call();
    const winner = await Promise.race([
      response.then(() => 'has answered'),
      sendFiftyHealthChecks().then(() => 'has not answered'),
    ]);
    endDelay();
    return [winner, (await response).status];
  }

  it('sees the new stock as soon as an order is placed or deleted', async () => {
    const [ann, tool] = [await testKit.createCustomer(), await testKit.createTool()];
    const place = () => testKit.placeOrder(ann, { toolId: tool.id, productName: tool.name, totalQuantity: 3 });
    const { body } = await place();
    expect(await outcomeWithDelayedReads(place)).toEqual(['has not answered', 201]);
    expect(await availableOf(tool.id)).toBe(94);
    jest.restoreAllMocks();
    expect(await outcomeWithDelayedReads(() => testKit.call(ann, 'DELETE', `/order/${body._id}`))).toEqual([
      'has not answered',
      204,
    ]);
    expect(await availableOf(tool.id)).toBe(97);
  });
});

it('a server shows a change even if it gets no notification of it', async () => {
  const { id } = await testKit.createTool();
  const name = 'Renamed without a notification';
  await testKit.deps.db.execute(sql`update tools set name = ${name} where id = ${id}`);
  const nameOf = async () => (await testKit.call<{ name?: string }>(null, 'GET', `/tool/${id}`)).body.name;
  await expectEventually(nameOf, name);
});
