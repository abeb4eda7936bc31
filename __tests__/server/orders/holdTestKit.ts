import { eq } from 'drizzle-orm';
import { orders } from '../../../server/db/schema';
import { endExpiredHolds } from '../../../server/holds/endHolds';
import type { Customer } from '../../support/customers';
import { openPaymentTestKit } from '../../support/payments';

export const MINUTE_MS = 60_000;

/** Starts the server with a clock that tests set ahead, to let holds end. */
export async function openHoldTestKit(options: Parameters<typeof openPaymentTestKit>[0] = {}) {
  let clockOffsetMinutes = 0;
  const now = () => new Date(Date.now() + clockOffsetMinutes * MINUTE_MS);
  const testKit = await openPaymentTestKit({ now, ...options });
  const { db, tokens } = testKit.deps;

  /** Sets the clock this many minutes ahead, and renews the customer's access token, which may have expired by then. */
  function setClock(minutesLater: number, customer?: Customer) {
    clockOffsetMinutes = minutesLater;
    if (customer) customer.token = tokens.issue(customer.id);
  }
  const endHoldsAt = async (minutesLater: number) => {
    setClock(minutesLater);
    await endExpiredHolds(testKit.deps);
  };
  const rowOf = async (id: string) => (await db.select().from(orders).where(eq(orders.id, id)))[0]!;

  /** @returns how many minutes after the test began the hold ends, and ends at the latest */
  async function holdMinutesOf(id: string) {
    const { holdUntil, holdLastAt } = await rowOf(id);
    return [holdUntil, holdLastAt].map((time) => time && Math.round((time.getTime() - Date.now()) / MINUTE_MS));
  }
  /** @returns in how many minutes the hold of a new order ends, and ends at the latest */
  const placeAndReadHold = async (customer: Customer, tool: { id: string; name: string }) => {
    customer.token = tokens.issue(customer.id);
    const [holdEnd, last] = await holdMinutesOf((await placeUnpaidOrder(customer, tool)).id);
    return [holdEnd! - clockOffsetMinutes, last! - clockOffsetMinutes];
  };

  /** Places an order of ten pieces. */
  const placeAgain = (customer: Customer, { name }: { name: string }) =>
    testKit.placeOrder(customer, { productName: name, totalQuantity: 10 });
  async function placeUnpaidOrder(customer?: Customer, givenTool?: { id: string; name: string }) {
    const [ann, tool] = [customer ?? (await testKit.createCustomer()), givenTool ?? (await testKit.createTool())];
    const { body } = await placeAgain(ann, tool);
    const startPayment = () => testKit.createIntent(ann, body._id, 70);
    return { ann, tool, id: body._id, startPayment, readAvailable: () => testKit.readAvailable(tool.id) };
  }

  return {
    ...{ ...testKit, setClock, endHoldsAt, rowOf, holdMinutesOf, placeAndReadHold },
    ...{ placeAgain, placeUnpaidOrder },
    /** Ends all holds of the previous test, with the clock far ahead. */
    async reset() {
      await endHoldsAt(10_000);
      setClock(0);
    },
  };
}

export type HoldTestKit = Awaited<ReturnType<typeof openHoldTestKit>>;
