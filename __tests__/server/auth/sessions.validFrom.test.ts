import { callShop } from '../../support/api';
import { newCustomer } from '../../support/customers';
import { startShop } from '../../support/shop';

const VALID_FROM = Date.parse('2031-05-04T10:00:00.250Z');
let now = VALID_FROM;
let shop: Awaited<ReturnType<typeof startShop>>;
beforeAll(async () => {
  shop = await startShop({ now: () => new Date(now) });
});
afterAll(() => shop.close());

describe('An access token', () => {
  it.each([
    ['a millisecond before', -1, 401],
    ['in the same millisecond as', 0, 200],
    ['a millisecond after', 1, 200],
  ])('that was issued %s sessionsValidFrom (%i ms) gets a %i', async (_when, ms, status) => {
    const { id, email } = await newCustomer(shop, { sessionsValidFrom: new Date(VALID_FROM) });
    now = VALID_FROM + ms;
    const token = shop.deps.tokens.issue(id);
    expect((await callShop(shop.origin, `/admin/${email}`, { token })).status).toBe(status);
  });
});
