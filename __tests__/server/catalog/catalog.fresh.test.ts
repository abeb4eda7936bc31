import type { Pool, QueryConfig } from 'pg';
import { openOrderTestKit, type OrderTestKit } from '../../support/orders';

let kit: OrderTestKit;
beforeAll(async () => {
  kit = await openOrderTestKit();
});
afterEach(() => jest.restoreAllMocks());
afterAll(() => kit.close());

/** PostgreSQL takes its time with every reading of the catalog, until it is let go. */
function slowReadings(pool: Pool) {
  let letGo = () => {};
  const gate = new Promise<void>((resolve) => (letGo = resolve));
  const query = pool.query.bind(pool) as (...given: unknown[]) => Promise<unknown>;
  const slow = async (...given: unknown[]) => {
    if (/from "tools"/.test((given[0] as QueryConfig).text ?? '')) await gate;
    return query(...given);
  };
  jest.spyOn(pool, 'query').mockImplementation(slow as typeof pool.query);
  return letGo;
}

/** Far longer than an answer that waits for nothing takes. */
async function otherCalls(): Promise<'has not answered'> {
  for (let n = 0; n < 50; n++) expect((await kit.call(null, 'GET', '/healthz')).status).toBe(200);
  return 'has not answered';
}

const shown = async (id: string) =>
  (await kit.call<{ availableQuantity: number }>(null, 'GET', `/tool/${id}`)).body.availableQuantity;

describe('A customer who looks at the tool right after', () => {
  async function afterAnswer<T extends { status: number }>(call: () => Promise<T>) {
    const letGo = slowReadings(kit.deps.db.$client);
    const calling = call();
    const first = await Promise.race([calling.then(() => 'has answered'), otherCalls()]);
    letGo();
    return [first, (await calling).status];
  }

  it('placing and deleting an order sees the new stock', async () => {
    const [ann, tool] = [await kit.customer(), await kit.tool()];
    const place = () => kit.order(ann, { toolId: tool.id, productName: tool.name, totalQuantity: 3 });
    const { body } = await place();
    expect(await afterAnswer(place)).toEqual(['has not answered', 201]);
    expect(await shown(tool.id)).toBe(94);
    jest.restoreAllMocks();
    expect(await afterAnswer(() => kit.call(ann, 'DELETE', `/order/${body._id}`))).toEqual(['has not answered', 204]);
    expect(await shown(tool.id)).toBe(97);
  });
});
