import type { PlacedOrder } from '../../src/contract/entities';
import { CARDS_BY_CHOICE, PAYING_CARD } from './cards';
import { simulatedRuntime } from './simulatedRuntime';
import type { CUSTOMER_ACTIONS } from './plan';
import type { TabSession } from './tabSession';
import type { SimulatedResponse } from './world';

/** What an action returns that found no order to act on. It is tried again later. */
export const NO_ORDER = 'no order';

/** More than a customer may have unpaid. */
const ORDERS_AT_ONCE = 4;

export type PerformAction = (tab: TabSession, choices: number[]) => Promise<unknown>;

/** Acts once, or twice at the same time for one of `oneIn` choices. */
export const actOnceOrTwice = (choice: number, oneIn: number, act: (n: number) => Promise<unknown>) =>
  Promise.all(choice % oneIn === 0 ? [act(0), act(1)] : [act(0)]);

async function placeOrder(tab: TabSession, tool: { id: string; name: string }, quantity: number, key: string) {
  const { ledger, person } = tab;
  const body = {
    toolId: tool.id,
    productName: tool.name,
    totalQuantity: quantity,
    address: '1 Main St',
    phone: '555 0100',
  };
  ledger.sentKeys.set(key, { owner: person.number, toolId: tool.id, quantity });
  const response = await tab.callWithRetries('POST', '/order', body, key);
  if (response?.status !== 201) return;
  const { _id, price, totalQuantity, toolId } = response.body as unknown as PlacedOrder;
  if (totalQuantity !== quantity || toolId !== tool.id)
    ledger.note(`The response to ${key} contains a different order.`);
  ledger.orders.set(_id, { id: _id, owner: person.number, toolId: tool.id, quantity, price });
  ledger.ordersByKey.set(key, (ledger.ordersByKey.get(key) ?? new Set()).add(_id));
}

/** Sometimes the customer clicks twice, and sometimes places more orders at once than may be unpaid. */
async function order(tab: TabSession, [toolChoice, quantityChoice, modeChoice, , , keyChoice]: number[]) {
  const { person, world } = tab;
  const tool = tab.pick(world.tools, toolChoice!)!;
  const newKey = () => `key-${person.number}-${keyChoice}-${simulatedRuntime.uuid().slice(0, 8)}`;
  const quantity = 1 + (quantityChoice! % 6);
  if (modeChoice! % 8 === 1) {
    const keys = Array.from({ length: ORDERS_AT_ONCE }, newKey);
    return Promise.all(keys.map((key) => placeOrder(tab, tool, 1, key)));
  }
  const key = newKey();
  return actOnceOrTwice(modeChoice!, 4, () => placeOrder(tab, tool, quantity, key));
}

export async function startPayment(tab: TabSession, id: string, quantity: number, price: number) {
  const response = await tab.callWithRetries('POST', `/create-payment-intent?order=${id}`, {
    totalPrice: price * quantity,
  });
  noteIfClosed(tab, id, response);
  const meta = response?.body['meta'] as { price?: number; total?: number } | undefined;
  const current = meta?.price ?? (meta?.total && meta.total / quantity);
  if (response?.status !== 409 || current === undefined) return { response, price };
  return {
    response: await tab.callWithRetries('POST', `/create-payment-intent?order=${id}`, {
      totalPrice: current * quantity,
    }),
    price: current,
  };
}

/** @returns the id of the intent, or undefined if the browser received no successful response */
export async function confirmCard({ world, person }: TabSession, clientSecret: string, card: string) {
  const headers = {
    authorization: 'Bearer pk_test_forgeline',
    'content-type': 'application/x-www-form-urlencoded',
  };
  const post = (path: string, fields: Record<string, string>) =>
    world.send(person.name, {
      ...{ method: 'POST', url: `/v1/${path}`, headers },
      body: new URLSearchParams(fields).toString(),
    });
  const [id = ''] = clientSecret.split('_secret_');
  const fields = { type: 'card', 'card[number]': card, 'card[exp_month]': '12', 'card[exp_year]': '2040' };
  const method = await post('payment_methods', { ...fields, 'card[cvc]': '123' });
  if (method?.status !== 200) return undefined;
  const confirmed = await post(`payment_intents/${id}/confirm`, {
    ...{ client_secret: clientSecret, payment_method: String(method.body['id']) },
  });
  return confirmed?.body['status'] === 'succeeded' ? id : undefined;
}

const CLOSED = ['order_paid', 'order_refunded', 'not_found'];

/** Usually an order that the customer can still pay or delete. Sometimes any order, because the shop must also refuse. */
function pickOpenOrder(tab: TabSession, choice: number) {
  const { paid, deleted, seenClosed } = tab.ledger;
  const open = tab.ownOrders().filter(({ id }) => !paid.has(id) && !deleted.has(id) && !seenClosed.has(id));
  return tab.pick(open, choice) ?? (choice % 4 === 0 ? tab.pick(tab.ownOrders(), choice) : undefined);
}

function noteIfClosed({ ledger }: TabSession, id: string, response: SimulatedResponse | undefined) {
  if (CLOSED.includes(String(response?.body['code']))) ledger.seenClosed.add(id);
}

/** If the card is not charged, most customers try again with another one. */
async function pay(tab: TabSession, [orderChoice, cardChoice, reportChoice, doubleChoice]: number[]) {
  const { ledger } = tab;
  const chosenOrder = pickOpenOrder(tab, orderChoice!);
  if (!chosenOrder) return NO_ORDER;
  const { id, quantity } = chosenOrder;
  const price = ledger.offered.get(id) ?? chosenOrder.price;
  if (price === null) return NO_ORDER;
  /** @returns the id of the intent if the card was charged */
  const chargeCard = async (card: string) => {
    const { response, price: agreed } = await startPayment(tab, id, quantity, price);
    if (response?.status !== 200) return undefined;
    const { clientSecret, amount } = response.body as { clientSecret: string; amount: number };
    if (amount !== agreed * quantity * 100)
      ledger.note(`The intent of the order ${id} has the wrong amount ${amount}.`);
    return confirmCard(tab, clientSecret, card);
  };
  const payOnce = async () => {
    const card = CARDS_BY_CHOICE[cardChoice! % CARDS_BY_CHOICE.length]!;
    const intentId = (await chargeCard(card)) ?? (cardChoice! % 4 > 0 ? await chargeCard(PAYING_CARD) : undefined);
    if (!intentId || reportChoice! % 4 === 0) return;
    const reported = await tab.callWithRetries('PATCH', `/order/${id}`, { order: id, transactionId: intentId });
    if (reported?.status === 200) ledger.paid.set(id, intentId);
  };
  return actOnceOrTwice(doubleChoice!, 4, payOnce);
}

/** Opens an order, and notes a problem if the response contradicts what the shop acknowledged before. */
async function look(tab: TabSession, [orderChoice]: number[]) {
  const { ledger } = tab;
  const chosenOrder = tab.pick(tab.ownOrders(), orderChoice!);
  if (!chosenOrder) return;
  const [wasPaid, wasDeleted] = [ledger.paid.has(chosenOrder.id), ledger.deleted.has(chosenOrder.id)];
  const response = await tab.callWithRetries('GET', `/order/${chosenOrder.id}`);
  if (!response || ![200, 404].includes(response.status)) return;
  const { status } = response.body as { status?: string };
  if (wasDeleted && response.status !== 404) ledger.note(`The order ${chosenOrder.id} is shown after it was deleted.`);
  if (response.status === 404 && (wasPaid || !tab.world.mayBeDeleted(chosenOrder.id)))
    ledger.note(`The shop answered 404 for the order ${chosenOrder.id}, although it cannot have been deleted.`);
  if (wasPaid && response.status === 200 && !['paid', 'shipped', 'refunded'].includes(status ?? ''))
    ledger.note(`The paid order ${chosenOrder.id} is shown as ${status}.`);
}

export async function deleteOrder(tab: TabSession, id: string | undefined) {
  if (id === undefined) return NO_ORDER;
  tab.world.deletesSent.add(id);
  const response = await tab.callWithRetries('DELETE', `/order/${id}`);
  noteIfClosed(tab, id, response);
  if (response?.status === 204) tab.ledger.deleted.add(id);
  return undefined;
}

/** Usually the payment page is open in another tab, where the customer pays at the same time. */
async function deleteOwnOrder(tab: TabSession, choices: number[]) {
  const [orderChoice, , , , pageChoice, payChoice] = choices;
  const { id, quantity, price } = pickOpenOrder(tab, orderChoice!) ?? {};
  if (id && price && pageChoice! % 4 > 0) await startPayment(tab, id, quantity!, price);
  const [deleted] = await Promise.all([deleteOrder(tab, id), payChoice! % 4 > 0 && pay(tab, choices)]);
  return deleted;
}

async function signOut({ person, world }: TabSession) {
  if (!person.isSignedIn) return;
  const { token } = person;
  person.isSignedIn = false;
  const response = await world.send(person.name, {
    ...{ method: 'DELETE', url: '/session', headers: { authorization: `Bearer ${token}` } },
  });
  if (response?.status === 204) world.endToken(person, token);
}

async function callWithEndedToken({ person, world, ledger }: TabSession, choice: number) {
  const token = person.endedTokens[choice % Math.max(1, person.endedTokens.length)];
  if (!token) return;
  const headers = { authorization: `Bearer ${token}` };
  const response = await world.send(person.name, { method: 'GET', url: `/order?email=${person.email}`, headers });
  if (response && response.status < 300) ledger.note(`${person.name} could use an ended session.`);
}

/** Tries what a customer must not do: use an ended session, call an admin route, or delete another customer's order. */
async function tryForbiddenCall(tab: TabSession, [kind, choice]: number[]) {
  const { ledger, person } = tab;
  if (kind! % 3 === 0) return callWithEndedToken(tab, choice!);
  const foreign = [...ledger.orders.values()].filter(({ owner }) => owner !== person.number);
  const { id } = tab.pick(foreign, choice!) ?? {};
  const [method, url] = kind! % 3 === 1 || !id ? ['GET', '/user'] : ['DELETE', `/order/${id}`];
  if (id && method === 'DELETE') tab.world.deletesSent.add(id);
  const response = await tab.call(method!, url!);
  if (response && response.status < 300) ledger.note(`${person.name} was allowed to ${method} ${url}.`);
}

export const customerActions: Record<(typeof CUSTOMER_ACTIONS)[number], PerformAction> = {
  order,
  pay,
  look,
  delete: deleteOwnOrder,
  'sign out': signOut,
  'sign in': async (tab) => {
    if (!tab.person.isSignedIn) await tab.signIn();
  },
  'forbidden call': tryForbiddenCall,
};
