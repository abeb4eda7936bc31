import { Agent, request } from 'node:http';
import { URLSearchParams } from 'node:url';
import { testKit } from '../scripts/testKit.mjs';
import { addTools } from './admin.mjs';

const accounts = (verb) => `/identitytoolkit.googleapis.com/v1/accounts:${verb}?key=any`;
const PUBLISHABLE = { authorization: 'Bearer pk_test_forgeline', 'content-type': 'application/x-www-form-urlencoded' };
const PLENTY = 1_000_000;
export const PASSWORD = 'of the bench';

/** A customer's own connection; whatever is refused is an error. */
export function connection(port) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return (method, path, body, headers = {}) =>
    new Promise((resolve, reject) => {
      const data = typeof body === 'object' ? JSON.stringify(body) : body;
      const length = data && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(data) };
      const sent = request({ host: '127.0.0.1', port, method, path, agent, headers: { ...length, ...headers } });
      sent.on('response', async (answer) => {
        let text = '';
        for await (const part of answer.setEncoding('utf8')) text += part;
        if (answer.statusCode < 400) resolve(JSON.parse(text));
        else reject(new Error(`${method} ${path} ${answer.statusCode} ${text}`));
      });
      sent.on('error', reject);
      sent.end(data);
    });
}

async function bearerOf(call, verb, email, password) {
  const { idToken } = await call('POST', accounts(verb), { email, password, returnSecureToken: true });
  const { token } = await call('PUT', `/user/${email}`, { email }, { authorization: `Bearer ${idToken}` });
  return { authorization: `Bearer ${token}` };
}

/** Signed-in customers, each with a tool of his own or all with one. */
export async function openCustomers(shop, { customers, hot }) {
  const name = `x${Date.now().toString(36)}`;
  const { CARDS, cardForm } = testKit();
  const card = String(new URLSearchParams(cardForm(CARDS.pays)));
  const ids = await addTools(shop, hot ? 1 : customers, { pieces: PLENTY });
  const signing = Array.from({ length: customers }, async (_, i) => {
    const call = connection(shop.port);
    const email = `${name}-${i}@bench.example`;
    const bearer = await bearerOf(call, 'signUp', email, PASSWORD);
    const tool = await call('GET', `/tool/${ids[hot ? 0 : i]}`);
    return { call, bearer, tool, email, card, name: `${name}-${i}` };
  });
  return Promise.all(signing);
}

/** The demo's admin. */
export async function openAdmin(shop) {
  const call = connection(shop.port);
  return { call, bearer: await bearerOf(call, 'signInWithPassword', 'admin@forgeline.example', 'forgeline-demo') };
}

const draftOf = ({ tool }) => ({
  toolId: tool._id,
  productName: tool.name,
  price: tool.price,
  totalQuantity: tool.minimumOrderQuantity,
  client: 'Bench',
  address: '1 Main Street',
  phone: '5551234',
});

let orders = 0;
export async function placeOrder(customer) {
  const { call, bearer, tool, name } = customer;
  const key = { 'idempotency-key': `${name}-${orders++}` };
  const order = await call('POST', '/order', draftOf(customer), { ...bearer, ...key });
  if (order.price !== tool.price || order.paid)
    throw new Error(`Another order than was asked for: ${JSON.stringify(order)}`);
  return order;
}

/** As many calls as an order takes, of a server that keeps a row a call. */
export const keepRows = (calls) => async (customer) => {
  for (let i = 0; i < calls; i++) await customer.call('POST', '/order', draftOf(customer), customer.bearer);
};

export const CALLS_TO_PAY = 5;
/** Five calls: the order, its secret, the card, the confirmation, the settlement. */
export async function buy(customer) {
  const { call, bearer, tool, card } = customer;
  const { _id } = await placeOrder(customer);
  const totalPrice = tool.price * tool.minimumOrderQuantity;
  const { clientSecret } = await call('POST', `/create-payment-intent?order=${_id}`, { totalPrice }, bearer);
  const [intent] = clientSecret.split('_secret_');
  const method = await call('POST', '/v1/payment_methods', card, PUBLISHABLE);
  const confirmation = `client_secret=${clientSecret}&payment_method=${method.id}`;
  await call('POST', `/v1/payment_intents/${intent}/confirm`, confirmation, PUBLISHABLE);
  const { paid } = await call('PATCH', `/order/${_id}`, { order: _id, transactionId: intent }, bearer);
  if (!paid) throw new Error('Paid, and not written down as paid.');
}
