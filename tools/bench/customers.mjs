import { Agent, request } from 'node:http';
import { URLSearchParams } from 'node:url';
import { loadTestKit } from '../lib/testKit.mjs';
import { addTools } from './seedData.mjs';

const accountsPath = (verb) => `/identitytoolkit.googleapis.com/v1/accounts:${verb}?key=any`;
const PUBLISHABLE_HEADERS = {
  authorization: 'Bearer pk_test_forgeline',
  'content-type': 'application/x-www-form-urlencoded',
};
const AMPLE_STOCK = 1_000_000;
export const PASSWORD = 'of the bench';
export const DEMO_ADMIN = { email: 'admin@forgeline.example', password: 'forgeline-demo' };

/**
 * Opens a connection for one customer.
 * @returns a function that sends a request, and that rejects if the status is an error
 */
export function openConnection(port) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return (method, path, body, headers = {}) =>
    new Promise((resolve, reject) => {
      const payload = typeof body === 'object' ? JSON.stringify(body) : body;
      const length = payload && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) };
      const outgoing = request({ host: '127.0.0.1', port, method, path, agent, headers: { ...length, ...headers } });
      outgoing.on('response', async (response) => {
        let text = '';
        for await (const chunk of response.setEncoding('utf8')) text += chunk;
        if (response.statusCode < 400) resolve(JSON.parse(text));
        else reject(new Error(`${method} ${path} returned ${response.statusCode}: ${text}`));
      });
      outgoing.on('error', reject);
      outgoing.end(payload);
    });
}

async function fetchBearer(call, verb, email, password) {
  const { idToken } = await call('POST', accountsPath(verb), { email, password, returnSecureToken: true });
  const { token } = await call('PUT', `/user/${email}`, { email }, { authorization: `Bearer ${idToken}` });
  return { authorization: `Bearer ${token}` };
}

/** Adds tools and signs up customers. Each customer gets a different tool to order, or all get the same one. */
export async function openCustomers(shop, { customers, sameTool }) {
  const name = `x${Date.now().toString(36)}`;
  const { CARDS, cardForm } = loadTestKit();
  const card = String(new URLSearchParams(cardForm(CARDS.pays)));
  const ids = await addTools(shop, sameTool ? 1 : customers, { stock: AMPLE_STOCK });
  const customersReady = Array.from({ length: customers }, async (_, i) => {
    const call = openConnection(shop.port);
    const email = `${name}-${i}@bench.example`;
    const bearer = await fetchBearer(call, 'signUp', email, PASSWORD);
    const tool = await call('GET', `/tool/${ids[sameTool ? 0 : i]}`);
    return { call, bearer, tool, email, card, name: `${name}-${i}` };
  });
  return Promise.all(customersReady);
}

export async function signInAdmin(shop) {
  const call = openConnection(shop.port);
  return { call, bearer: await fetchBearer(call, 'signInWithPassword', DEMO_ADMIN.email, DEMO_ADMIN.password) };
}

const draftFor = ({ tool }) => ({
  toolId: tool._id,
  productName: tool.name,
  price: tool.price,
  totalQuantity: tool.minimumOrderQuantity,
  client: 'Bench',
  address: '1 Main Street',
  phone: '5551234',
});

let orderCount = 0;
export async function placeOrder(customer) {
  const { call, bearer, tool, name } = customer;
  const key = { 'idempotency-key': `${name}-${orderCount++}` };
  const order = await call('POST', '/order', draftFor(customer), { ...bearer, ...key });
  if (order.price !== tool.price || order.paid)
    throw new Error(`The response differs from the requested order: ${JSON.stringify(order)}`);
  return order;
}

/** @returns a function that sends this many requests to the baseline server, which stores one row for each */
export const createRowInserter = (calls) => async (customer) => {
  for (let i = 0; i < calls; i++) await customer.call('POST', '/order', draftFor(customer), customer.bearer);
};

export const CALLS_TO_PLACE_AND_PAY = 5;
export async function placeAndPayOrder(customer) {
  const { call, bearer, tool, card } = customer;
  const { _id } = await placeOrder(customer);
  const totalPrice = tool.price * tool.minimumOrderQuantity;
  const { clientSecret } = await call('POST', `/create-payment-intent?order=${_id}`, { totalPrice }, bearer);
  const [intent] = clientSecret.split('_secret_');
  const method = await call('POST', '/v1/payment_methods', card, PUBLISHABLE_HEADERS);
  const confirmation = `client_secret=${clientSecret}&payment_method=${method.id}`;
  await call('POST', `/v1/payment_intents/${intent}/confirm`, confirmation, PUBLISHABLE_HEADERS);
  const { paid } = await call('PATCH', `/order/${_id}`, { order: _id, transactionId: intent }, bearer);
  if (!paid) throw new Error('The payment succeeded, but the order is not marked as paid.');
}
