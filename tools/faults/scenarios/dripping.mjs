import { connect } from 'node:net';
import { clearInterval, setInterval } from 'node:timers';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '../lib/client.mjs';
import { createTempFolder } from '../lib/tempFolder.mjs';
import { quantile } from '../lib/report.mjs';
import { runDoctor, createShop } from '../lib/shopProcess.mjs';

const SOCKETS = 500;
const CLOSED_WITHIN_MS = 20_000;
const HEADERS = 'POST /order HTTP/1.1\r\nhost: 127.0.0.1\r\n';
const HEADERS_AND_BODY = `${HEADERS}content-type: application/json\r\nauthorization: Bearer x\r\ncontent-length: 30000\r\n\r\n{"`;

/** Sends headers or a body at one byte per second and never finishes, like a Slowloris attack. */
function openDrippingSocket(port, n) {
  const startedAt = performance.now();
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.on('data', () => undefined);
  socket.write(n % 2 ? HEADERS : HEADERS_AND_BODY);
  const dripping = setInterval(() => socket.write('a'), 1_000);
  return new Promise((resolve) =>
    socket.on('close', () => {
      clearInterval(dripping);
      resolve(performance.now() - startedAt);
    }),
  );
}

export async function dripping({ report }) {
  const shop = await createShop({ DATA_DIR: `${createTempFolder()}/data` });
  await shop.start();
  const client = createClient(shop.origin, 4);
  const closing = Promise.all(Array.from({ length: SOCKETS }, (_, n) => openDrippingSocket(shop.port, n)));
  let hasOpenSocket = true;
  void closing.then(() => (hasOpenSocket = false));
  const times = [];
  const wrong = [];
  while (hasOpenSocket) {
    const { status, ms } = await client.send('GET', '/tool');
    times.push(ms);
    if (status !== 200) wrong.push(status);
    await sleep(20);
  }
  report.checkTimes(`${SOCKETS} slow sockets: time until closed`, await closing, CLOSED_WITHIN_MS);
  const p99 = quantile(times, 0.99);
  report.checkTimes(`${times.length} reads by others at the same time, p99`, [p99], 250, `${Math.round(p99)} ms`);
  report.check('failed reads', wrong.length, '0', wrong.length === 0);
  await runDoctor(report, shop);
}
