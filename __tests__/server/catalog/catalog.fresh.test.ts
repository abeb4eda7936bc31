import type { Pool, QueryConfig } from 'pg';
import { openOrderDesk, type OrderDesk } from '../../support/orders';

let desk: OrderDesk;
beforeAll(async () => {
  desk = await openOrderDesk();
});
afterEach(() => jest.restoreAllMocks());
afterAll(() => desk.close());

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
  for (let n = 0; n < 50; n++) expect((await desk.call(null, 'GET', '/healthz')).status).toBe(200);
  return 'has not answered';
}

const shown = async (id: string) =>
  (await desk.call<{ availableQuantity: number }>(null, 'GET', `/tool/${id}`)).body.availableQuantity;

describe('A customer who looks at the tool right after', () => {
  async function afterAnswer<T extends { status: number }>(call: () => Promise<T>) {
    const letGo = slowReadings(desk.deps.db.$client);
    const calling = call();
    const first = await Promise.race([calling.then(() => 'has answered'), otherCalls()]);
    letGo();
    return [first, (await calling).status];
  }

  it('placing and deleting an order sees the new stock', async () => {
    const [ann, tool] = [await desk.customer(), await desk.tool()];
    const place = () => desk.order(ann, { toolId: tool.id, productName: tool.name, totalQuantity: 3 });
    const { body } = await place();
    expect(await afterAnswer(place)).toEqual(['has not answered', 201]);
    expect(await shown(tool.id)).toBe(94);
    jest.restoreAllMocks();
    expect(await afterAnswer(() => desk.call(ann, 'DELETE', `/order/${body._id}`))).toEqual(['has not answered', 204]);
    expect(await shown(tool.id)).toBe(97);
  });
});
