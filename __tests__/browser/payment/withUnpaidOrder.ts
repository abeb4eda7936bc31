import { shopOrigin } from '../../support/api';
import { findAccessibilityViolations } from '../../support/assertions';
import { browserFixture } from '../../support/browser';
import { placeOrder } from '../../support/checkout';
import { signInAsNewUser } from '../../support/session';
import { sharedTool } from '../../support/tools';

/**
 * Before each test, signs in a new customer and places an order to pay. A request of the pages to another origin fails
 * the test.
 */
export function withUnpaidOrder(chooseTool = sharedTool) {
  const fixture = Object.assign(
    browserFixture(),
    {} as { email: string; order: Awaited<ReturnType<typeof placeOrder>> },
  );
  beforeEach(async () => {
    fixture.email = await signInAsNewUser(fixture.page);
    fixture.order = await placeOrder(fixture.page, chooseTool());
  });
  afterEach(() => expect(fixture.visitor.requests.filter((url) => !url.startsWith(shopOrigin()))).toEqual([]));

  return Object.assign(fixture, {
    openPayment: (page = fixture.page) => page.goto(`/dashboard/payment/${fixture.order._id}`),
    alert: (page = fixture.page) => page.getByRole('main').getByRole('alert'),
    expectAccessible: async () =>
      expect(await findAccessibilityViolations(fixture.page, { within: 'main' })).toEqual([]),
  });
}
