import { CENTS_PER_DOLLAR } from '../../src/contract/limits';
import { chargeAtProvider } from './adminActions';
import { PAYING_CARD } from './cards';
import { confirmCard, startPayment } from './customerActions';
import { scheduler } from './scheduler';
import { TabSession } from './tabSession';
import type { SimulatedResponse, World } from './world';

interface UnpaidOrder {
  id: string;
  ownerId: string;
  quantity: number;
  price: number;
  holdsStock: boolean;
}

/** Not part of `payOrders`, because the scheduler does not wait for a query of its own connection. */
export const readUnpaidOrders = async () =>
  (
    await scheduler.controlConnection.query<UnpaidOrder>(`
      select id, owner_id as "ownerId", quantity, unit_price as price, holds_stock as "holdsStock"
      from orders where state = 'unpaid' order by position`)
  ).rows;

const describe = (response: SimulatedResponse | undefined) =>
  response ? `${response.status} ${String(response.body['code'] ?? '')}` : 'no response';

/** Why an order whose hold has ended may not be paid. */
const REFUSALS = ['out_of_stock', 'hold_limit'];

/** @returns what went wrong, or undefined if the order is paid or can't hold stock any more */
async function payOrder(tab: TabSession, order: UnpaidOrder): Promise<string | undefined> {
  const { id, quantity, price, holdsStock } = order;
  const { response: started } = await startPayment(tab, id, quantity, price);
  if (!holdsStock && REFUSALS.includes(String(started?.body['code']))) return undefined;
  if (started?.status !== 200) return `the start of the payment was answered ${describe(started)}`;
  const intentId = await confirmCard(tab, String(started.body['clientSecret']), PAYING_CARD);
  if (!intentId) return 'the card was not charged';
  const reported = await tab.callWithRetries('PATCH', `/order/${id}`, { order: id, transactionId: intentId });
  if (reported?.status !== 200) return `the payment was answered ${describe(reported)}`;
  tab.ledger.paid.set(id, intentId);
  return undefined;
}

/**
 * Pays the orders that are still unpaid when no fault can happen any more. So a shop that is safe only because it
 * refuses everything fails too.
 */
export async function payOrders(world: World, unpaid: UnpaidOrder[]): Promise<void> {
  for (const order of unpaid) {
    const tab = new TabSession(
      world,
      world.people.find(({ id }) => id === order.ownerId)!,
    );
    // Money that comes by another way after the hold has ended pays for the order if there is still stock.
    if (!order.holdsStock && world.decisions.draw(2) === 1) {
      await chargeAtProvider(tab, order.id, order.price * order.quantity * CENTS_PER_DOLLAR);
      continue;
    }
    const canCall = tab.person.isSignedIn || (await tab.signIn());
    const problem = canCall ? await payOrder(tab, order) : 'its customer could not sign in';
    if (problem) world.ledger.note(`The order ${order.id} could not be paid at the end: ${problem}.`);
  }
}
