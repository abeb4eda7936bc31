import { randomUUID } from 'node:crypto';
import { loadTestKit } from '../../lib/testKit.mjs';

const PUBLISHABLE_KEY = 'pk_test_forgeline';

function recordRequest({ requested, spans }, act) {
  requested.add(act);
  spans[act] ??= { from: performance.now(), to: Infinity };
}

function recordAcknowledgment({ acknowledged, spans }, act) {
  acknowledged.add(act);
  spans[act].to = Math.min(spans[act].to, performance.now());
}

/**
 * Creates functions that place, pay and delete an order. They record in the order's entry what was requested and what
 * the shop acknowledged. `spans` has the time of the first request and of the first acknowledgment.
 */
export function createOrderClient(client) {
  const { CARDS, cardForm } = loadTestKit();
  const callStripe = (path, form) => client.send('POST', `/v1/${path}`, { token: PUBLISHABLE_KEY, form });

  function createEntry(person, tool, quantity = 1) {
    const key = randomUUID();
    const orderBody = {
      toolId: tool._id,
      productName: tool.name,
      totalQuantity: quantity,
      address: key,
      phone: '555 0100',
    };
    return {
      key,
      person,
      orderBody,
      price: tool.price,
      order: undefined,
      requested: new Set(),
      acknowledged: new Set(),
      spans: {},
      reads: [],
    };
  }

  async function place(entry) {
    recordRequest(entry, 'placed');
    const { person, orderBody, key } = entry;
    const response = await client.send('POST', '/order', {
      token: person.token,
      body: orderBody,
      headers: { 'idempotency-key': key },
    });
    if (response.status === 201) {
      entry.order = response.body;
      recordAcknowledgment(entry, 'placed');
    }
    return response;
  }

  async function remove(entry) {
    recordRequest(entry, 'deleted');
    const response = await client.send('DELETE', `/order/${entry.order._id}`, { token: entry.person.token });
    if (response.status === 204) recordAcknowledgment(entry, 'deleted');
    return response;
  }

  /**
   * Pays as the page does: intent, card, confirmation, order.
   * @returns the last response
   */
  async function pay(entry) {
    const { order, person } = entry;
    const total = order.price * order.totalQuantity;
    const request = { token: person.token, body: { totalPrice: total } };
    const intent = await client.send('POST', `/create-payment-intent?order=${order._id}`, request);
    if (intent.status !== 200) return intent;
    const method = await callStripe('payment_methods', cardForm(entry.card ?? CARDS.pays));
    if (method.status !== 200) return method;
    const { clientSecret } = intent.body;
    const [id] = clientSecret.split('_secret_');
    recordRequest(entry, 'paid');
    const confirmation = { client_secret: clientSecret, payment_method: method.body.id };
    const confirmed = await callStripe(`payment_intents/${id}/confirm`, confirmation);
    if (confirmed.status !== 200) return confirmed;
    entry.intent = id;
    entry.acknowledged.add('charged');
    const body = { order: order._id, transactionId: id };
    const patched = await client.send('PATCH', `/order/${order._id}`, { token: person.token, body });
    if (patched.status === 200) recordAcknowledgment(entry, 'paid');
    return patched;
  }

  return { createEntry, place, remove, pay };
}
