import { callShop } from '../../support/api';
import { newCustomer } from '../../support/customers';
import { startShop } from '../../support/shop';

const AT = Date.parse('2031-05-04T10:00:00.250Z');
let now = AT;
let shop: Awaited<ReturnType<typeof startShop>>;
beforeAll(async () => {
  shop = await startShop({ now: () => new Date(now) });
});
afterAll(() => shop.close());

describe('A token of a person whose sessions are valid from a certain millisecond', () => {
  it.each([
    ['a millisecond before it', -1, 401],
    ['in the same millisecond', 0, 200],
    ['a millisecond after it', 1, 200],
  ])('that was issued %s answers with the right status', async (_when, ms, status) => {
    const { id, email } = await newCustomer(shop, { sessionsValidFrom: new Date(AT) });
    now = AT + ms;
    const token = shop.deps.tokens.issue(id);
    expect((await callShop(shop.origin, `/admin/${email}`, { token })).status).toBe(status);
  });
});
