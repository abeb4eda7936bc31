import { comeNew } from './account';
import { shopOrigin } from './browser';
import { breaches } from './look';
import { placeOrder } from './paying';
import { theTool } from './shopper';
import { eachWithAVisitor } from './stage';

/** Before each test: a new customer, signed in in a browser of their own, with an order to pay for. */
export function aPayerEach(toolOf = theTool) {
  const here = Object.assign(
    eachWithAVisitor(),
    {} as { email: string; order: Awaited<ReturnType<typeof placeOrder>> },
  );
  beforeEach(async () => {
    here.email = await comeNew(here.page);
    here.order = await placeOrder(here.page, toolOf());
  });
  afterEach(() => expect(here.visitor.requests.filter((url) => !url.startsWith(shopOrigin()))).toEqual([]));

  return Object.assign(here, {
    openPayment: (on = here.page) => on.goto(`/dashboard/payment/${here.order._id}`),
    alert: (on = here.page) => on.getByRole('main').getByRole('alert'),
    accessible: async () => expect(await breaches(here.page, { within: 'main' })).toEqual([]),
  });
}
