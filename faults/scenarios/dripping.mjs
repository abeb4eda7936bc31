import { connect } from 'node:net';
import { clearInterval, setInterval } from 'node:timers';
import { setTimeout as sleep } from 'node:timers/promises';
import { clientOf } from '../lib/client.mjs';
import { ownFolder } from '../lib/place.mjs';
import { quantile } from '../lib/report.mjs';
import { doctor, shopOf } from '../lib/shop.mjs';

const SOCKETS = 500;
const CLOSED_WITHIN_MS = 20_000;
const HEAD = 'POST /order HTTP/1.1\r\nhost: 127.0.0.1\r\n';
const BODY = `${HEAD}content-type: application/json\r\nauthorization: Bearer x\r\ncontent-length: 30000\r\n\r\n{"`;

/** One byte a second: of a head that never ends, or of a body. */
function drip(port, n) {
  const began = performance.now();
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.on('data', () => undefined);
  socket.write(n % 2 ? HEAD : BODY);
  const dripping = setInterval(() => socket.write('a'), 1_000);
  return new Promise((resolve) =>
    socket.on('close', () => {
      clearInterval(dripping);
      resolve(performance.now() - began);
    }),
  );
}

export async function dripping({ report }) {
  const shop = await shopOf({ DATA_DIR: `${ownFolder()}/data` });
  await shop.start();
  const client = clientOf(shop.origin, 4);
  const closing = Promise.all(Array.from({ length: SOCKETS }, (_, n) => drip(shop.port, n)));
  let open = true;
  void closing.then(() => (open = false));
  const times = [];
  const wrong = [];
  while (open) {
    const { status, ms } = await client.send('GET', '/tool');
    times.push(ms);
    if (status !== 200) wrong.push(status);
    await sleep(20);
  }
  report.times(`${SOCKETS} sockets that drip, closed`, await closing, CLOSED_WITHIN_MS);
  const p99 = quantile(times, 0.99);
  report.times(`${times.length} reads of others meanwhile, p99`, [p99], 250, `${Math.round(p99)} ms`);
  report.line('of them refused', wrong.length, '0', wrong.length === 0);
  await doctor(report, shop);
}
