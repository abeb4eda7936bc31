import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { atEnd } from './ending.mjs';

/** Between the server and its PostgreSQL, so that the way between can go wrong. */
export async function proxyTo(port) {
  const pairs = new Set();
  const proxy = { to: port, hole: false, slow: 0, refuse: false };

  function pass(from, into) {
    const waiting = [];
    let sending = false;
    const send = async () => {
      sending = true;
      while (waiting.length > 0) {
        if (proxy.slow) await sleep(proxy.slow);
        while ((proxy.hole || from.stranded) && !from.destroyed) await sleep(20);
        into.write(waiting.shift());
      }
      sending = false;
    };
    from.on('data', (chunk) => {
      waiting.push(chunk);
      if (!sending) void send();
    });
    const end = () => from.stranded || into.destroy();
    from.on('close', end);
    from.on('error', end);
  }

  const listener = createServer((near) => {
    if (proxy.refuse) return near.resetAndDestroy();
    const far = connect({ port: proxy.to, host: '127.0.0.1', noDelay: true });
    near.setNoDelay(true);
    const pair = [near, far];
    pairs.add(pair);
    near.on('close', () => pairs.delete(pair));
    pass(near, far);
    pass(far, near);
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');

  proxy.port = listener.address().port;
  proxy.reset = () => {
    for (const [near, far] of pairs) {
      near.resetAndDestroy();
      far.destroy();
    }
  };
  /** Those who are connected now are never answered again, nor told. */
  proxy.strand = () => {
    for (const pair of pairs) for (const socket of pair) socket.stranded = true;
  };
  proxy.close = () => {
    proxy.reset();
    listener.close();
  };
  atEnd(proxy.close);
  return proxy;
}
