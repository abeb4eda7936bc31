import { newCustomer } from '../../support/customers';
import { callShop } from '../../support/api';
import { lowestOf } from './eventDurations';
import { startShop } from '../../support/shop';
import { waitUntil } from '../../support/wait';

let copies: Awaited<ReturnType<typeof startShop>>[];
beforeAll(async () => {
  const first = await startShop();
  copies = [first, await startShop({ connection: first.database!.connection })];
});
afterAll(async () => {
  for (const copy of copies.toReversed()) await copy.close();
});

test('a change is visible within a second on other servers', async () => {
  const [first, second] = copies.map(({ origin }) => origin) as [string, string];
  const { token } = await newCustomer(copies[0]!, { role: 'admin' });
  const measureLag = async () => {
    const name = `Two-copy hammer ${performance.now()}`;
    const body = { name, price: 1, minimumOrderQuantity: 1, availableQuantity: 1, description: 'a', img: '/a.svg' };
    await callShop(first, '/tool', { method: 'POST', token, body });
    const writtenAt = performance.now();
    await waitUntil(async () => JSON.stringify((await callShop(second, '/tool')).body).includes(name));
    return performance.now() - writtenAt;
  };
  expect(await lowestOf(1_000, measureLag)).toBeLessThan(1_000);
});
