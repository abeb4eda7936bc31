import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { onCleanUp } from './cleanUp.mjs';

/** Starts a proxy between the server and its PostgreSQL that can delay, block, refuse and reset connections. */
export async function startFaultyProxy(port) {
  const connections = new Set();
  const proxy = { isBlackHole: false, delayMs: 0, isRefusing: false };

  function forward(source, target) {
    const queue = [];
    let isSending = false;
    const send = async () => {
      isSending = true;
      while (queue.length > 0) {
        if (proxy.delayMs) await sleep(proxy.delayMs);
        while ((proxy.isBlackHole || source.isStranded) && !source.destroyed) await sleep(20);
        target.write(queue.shift());
      }
      isSending = false;
    };
    source.on('data', (chunk) => {
      queue.push(chunk);
      if (!isSending) void send();
    });
    const endTarget = () => source.isStranded || target.destroy();
    source.on('close', endTarget);
    source.on('error', endTarget);
  }

  const listener = createServer((serverSocket) => {
    if (proxy.isRefusing) return serverSocket.resetAndDestroy();
    const databaseSocket = connect({ port, host: '127.0.0.1', noDelay: true });
    serverSocket.setNoDelay(true);
    const sockets = [serverSocket, databaseSocket];
    connections.add(sockets);
    serverSocket.on('close', () => connections.delete(sockets));
    forward(serverSocket, databaseSocket);
    forward(databaseSocket, serverSocket);
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');

  proxy.port = listener.address().port;
  proxy.reset = () => {
    for (const [serverSocket, databaseSocket] of connections) {
      serverSocket.resetAndDestroy();
      databaseSocket.destroy();
    }
  };
  /** From now on, the current connections receive no data and stay open, as when the other machine has failed. */
  proxy.strand = () => {
    for (const sockets of connections) for (const socket of sockets) socket.isStranded = true;
  };
  proxy.close = () => {
    proxy.reset();
    listener.close();
  };
  onCleanUp(proxy.close);
  return proxy;
}
