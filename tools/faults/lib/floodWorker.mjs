import { randomUUID } from 'node:crypto';
import { createClient } from './client.mjs';

const ACCEPTED_STATUSES = [200, 201];
const SHED_STATUSES = [429, 503];

/** Half of the calls read the cached catalog. The others use the database: they place an order or list orders. */
function createCalls({ origin, people, tools, connections }) {
  const client = createClient(origin, connections);
  const read = () => client.send('GET', '/tool');
  const order = (n) => {
    const person = people[n % people.length];
    const { _id: toolId, name: productName } = tools[n % tools.length];
    const body = { toolId, productName, totalQuantity: 1, address: randomUUID(), phone: '555 0100' };
    return client.send('POST', '/order', { token: person.token, body });
  };
  const list = (n) => {
    const { email, token } = people[n % people.length];
    return client.send('GET', `/order?email=${encodeURIComponent(email)}`, { token });
  };
  return [read, order, read, list];
}

process.once('message', async (options) => {
  const { connections, durationMs } = options;
  const calls = createCalls(options);
  const result = { statuses: {}, times: [], withoutRetryAfter: 0 };
  const endsAt = performance.now() + durationMs;
  const record = ({ status, headers, ms }) => {
    result.statuses[status] = (result.statuses[status] ?? 0) + 1;
    if (ACCEPTED_STATUSES.includes(status)) result.times.push(Math.round(ms));
    if (SHED_STATUSES.includes(status) && !(Number(headers['retry-after']) > 0)) result.withoutRetryAfter++;
  };
  const runConnection = async (_, worker) => {
    for (let n = worker; performance.now() < endsAt; n++)
      await calls[n % calls.length](n).then(record, ({ message }) => record({ status: message }));
  };
  await Promise.all(Array.from({ length: connections }, runConnection));
  const total = Object.values(result.statuses).reduce((sum, count) => sum + count, 0);
  process.send({ ...result, perSecond: Math.round((total * 1000) / durationMs) }, () => process.exit());
});
