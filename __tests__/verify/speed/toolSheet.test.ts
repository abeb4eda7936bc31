import type { ToolImport } from '../../../src/contract/entities';
import { bearer, type Customer } from '../../support/customers';
import { openOrderTestKit, type OrderTestKit } from '../../support/orders';

jest.setTimeout(120_000);

const ROWS = 5_000;
const MAX_MS = 5_000;
let kit: OrderTestKit;
let admin: Customer;
beforeAll(async () => {
  kit = await openOrderTestKit();
  admin = await kit.createCustomer('admin');
});
afterAll(() => kit.close());

async function upload(body: string, query: string): Promise<ToolImport> {
  const headers = { ...bearer(admin), 'content-type': 'text/csv' };
  const response = await fetch(`${kit.origin}/tool/import${query}`, { method: 'POST', headers, body });
  return (await response.json()) as ToolImport;
}

/** @returns how long the preview and the import take */
async function measure(file: string, action: 'add' | 'change'): Promise<number[]> {
  const times: number[] = [];
  for (const query of ['?dry', '']) {
    const startedAt = performance.now();
    expect((await upload(file, query)).counts[action]).toBe(ROWS);
    times.push(performance.now() - startedAt);
  }
  return times;
}

test('a spreadsheet of 5,000 rows is previewed within five seconds, and imported within five seconds', async () => {
  const rows = Array.from({ length: ROWS }, (_, n) => `Tool ${n},7,1,10,${'A long text. '.repeat(20)},/m.svg`);
  const header = 'name,price,minimumOrderQuantity,availableQuantity,description,img';
  const added = await measure([header, ...rows].join('\n'), 'add');
  const exported = await (await fetch(`${kit.origin}/tool.csv`, { headers: bearer(admin) })).text();
  const changed = await measure(exported.replaceAll(',7,1,10,', ',8,1,15,'), 'change');
  expect([...added, ...changed].filter((ms) => ms > MAX_MS)).toEqual([]);
});
