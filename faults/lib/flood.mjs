import { randomUUID } from 'node:crypto';
import { clientOf } from './client.mjs';

const DONE = [200, 201];
const SHED = [429, 503];

/** Half are reads that are made already; the other half need the database: an order, or all of one's orders. */
function callsOf({ origin, people, tools, connections }) {
  const client = clientOf(origin, connections);
  const read = () => client.send('GET', '/tool');
  const order = (n) => {
    const buyer = people[n % people.length];
    const { _id: toolId, name: productName } = tools[n % tools.length];
    const body = { toolId, productName, totalQuantity: 1, address: randomUUID(), phone: '1' };
    return client.send('POST', '/order', { token: buyer.token, body });
  };
  const list = (n) => {
    const { email, token } = people[n % people.length];
    return client.send('GET', `/order?email=${encodeURIComponent(email)}`, { token });
  };
  return [read, order, read, list];
}

/** As many requests at once as there are connections, each followed by the next. */
process.once('message', async (wanted) => {
  const { connections, forMs } = wanted;
  const calls = callsOf(wanted);
  const told = { statuses: {}, times: [], unsaid: 0 };
  const until = performance.now() + forMs;
  const note = ({ status, headers, ms }) => {
    told.statuses[status] = (told.statuses[status] ?? 0) + 1;
    if (DONE.includes(status)) told.times.push(Math.round(ms));
    if (SHED.includes(status) && !(Number(headers['retry-after']) > 0)) told.unsaid++;
  };
  const one = async (_, worker) => {
    for (let n = worker; performance.now() < until; n++)
      await calls[n % calls.length](n).then(note, () => note({ status: 'no answer' }));
  };
  await Promise.all(Array.from({ length: connections }, one));
  const all = Object.values(told.statuses).reduce((sum, count) => sum + count, 0);
  process.send({ ...told, aSecond: Math.round((all * 1000) / forMs) }, () => process.exit());
});
