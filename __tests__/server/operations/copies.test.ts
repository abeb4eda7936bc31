import { block } from '../../../server/users/blocking';
import { removeAdmin } from '../../../server/users/roles';
import { bearer, type Customer, newAdmin, newCustomer } from '../../support/customers';
import { startShop } from '../../support/shop';

/** The clock stands still, so that all requests are in the same minute. */
const START = new Date();
const options = { env: { RATE_LIMIT: 'on' }, now: () => START };
let copies: Awaited<ReturnType<typeof startShop>>[];
beforeAll(async () => {
  const first = await startShop(options);
  copies = [first, await startShop({ ...options, connection: first.database!.connection })];
});
afterAll(async () => {
  for (const copy of copies.toReversed()) await copy.close();
});

const send = (copy: number, path: string, customer: Customer, body: object) =>
  fetch(copies[copy]!.origin + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...bearer(customer) },
    body: JSON.stringify(body),
  });

// Clause C.6.22
test('a customer can send sixty order requests a minute across all servers, and then gets a 429 with Retry-After', async () => {
  const customer = await newCustomer(copies[0]!);
  const order = { productName: 'none', address: 'a', phone: 'p', totalQuantity: 1 };
  const responses = await Promise.all([...Array(62).keys()].map((n) => send(n % 2, '/order', customer, order)));
  const refused = responses.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(2);
  for (const { headers } of refused) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
});

// Clauses C.2.13, C.5.11
test('an admin who is demoted and then blocked is out at once on every server', async () => {
  const { db } = copies[0]!.deps;
  await newAdmin(copies[0]!);
  const admin = await newAdmin(copies[0]!);
  const statuses = () =>
    Promise.all(
      copies.map(async ({ origin }) => {
        const users = await fetch(`${origin}/user`, { headers: bearer(admin) });
        const profile = await fetch(`${origin}/profile/${admin.email}`, { headers: bearer(admin) });
        return [users.status, profile.status];
      }),
    );
  expect(await statuses()).toEqual([
    [200, 200],
    [200, 200],
  ]);
  expect(await removeAdmin(db, admin.email)).toBe('done');
  expect(await statuses()).toEqual([
    [403, 200],
    [403, 200],
  ]);
  expect(await block(db, admin.email, new Date())).toBe('done');
  expect(await statuses()).toEqual([
    [401, 401],
    [401, 401],
  ]);
});
