import { randomUUID } from 'node:crypto';
import { testKit } from '../../scripts/testKit.mjs';

const PUBLISHABLE = 'pk_test_forgeline';

/** What one can do with an order, each noted in its entry before it is asked for and when it is acknowledged. */
export function buyerOf(client) {
  const { CARDS, cardForm } = testKit();
  const stripe = (path, form) => client.send('POST', `/v1/${path}`, { token: PUBLISHABLE, form });

  function newEntry(person, tool, quantity = 1) {
    const key = randomUUID();
    const draft = { toolId: tool._id, productName: tool.name, totalQuantity: quantity, address: key, phone: '555' };
    return { key, person, draft, price: tool.price, order: undefined, asked: new Set(), is: new Set() };
  }

  async function place(entry) {
    entry.asked.add('placed');
    const { person, draft, key } = entry;
    const answer = await client.send('POST', '/order', {
      token: person.token,
      body: draft,
      headers: { 'idempotency-key': key },
    });
    if (answer.status === 201) {
      entry.order = answer.body;
      entry.is.add('placed');
    }
    return answer;
  }

  async function remove(entry) {
    entry.asked.add('deleted');
    const answer = await client.send('DELETE', `/order/${entry.order._id}`, { token: entry.person.token });
    if (answer.status === 204) entry.is.add('deleted');
    return answer;
  }

  /** As the page pays: the secret, the card, the confirmation, the order. Answers the last answer there was. */
  async function pay(entry) {
    const { order, person } = entry;
    const total = order.price * order.totalQuantity;
    const asked = { token: person.token, body: { totalPrice: total } };
    const intent = await client.send('POST', `/create-payment-intent?order=${order._id}`, asked);
    if (intent.status !== 200) return intent;
    const method = await stripe('payment_methods', cardForm(CARDS.pays));
    if (method.status !== 200) return method;
    const { clientSecret } = intent.body;
    const [id] = clientSecret.split('_secret_');
    entry.asked.add('paid');
    const paid = { client_secret: clientSecret, payment_method: method.body.id };
    const confirmed = await stripe(`payment_intents/${id}/confirm`, paid);
    if (confirmed.status !== 200) return confirmed;
    entry.intent = id;
    entry.is.add('charged');
    const body = { order: order._id, transactionId: id };
    const patched = await client.send('PATCH', `/order/${order._id}`, { token: person.token, body });
    if (patched.status === 200) entry.is.add('paid');
    return patched;
  }

  return { newEntry, place, remove, pay };
}
