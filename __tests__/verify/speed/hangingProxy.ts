import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import type { PoolConfig } from 'pg';

/** Starts a proxy to PostgreSQL whose connections can be made to hang, as if the machine were unreachable. */
export async function startHangingProxy({ host = '', port = 5432 }: PoolConfig) {
  const sockets = new Set<Socket>();
  const listener = createServer((client) => {
    const database = host.startsWith('/') ? connect(join(host, `.s.PGSQL.${port}`)) : connect({ host, port });
    client.pipe(database).pipe(client);
    for (const socket of [client, database]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
    }
  });
  await once(listener.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (listener.address() as AddressInfo).port,
    hangConnections() {
      for (const socket of sockets) socket.unpipe().pause();
    },
    close() {
      for (const socket of sockets) socket.destroy();
      listener.close();
    },
  };
}
