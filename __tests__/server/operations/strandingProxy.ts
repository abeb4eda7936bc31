import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import type { PoolConfig } from 'pg';

/** A way to PostgreSQL on which whoever is connected can be left without an answer for ever, as when a machine is gone. */
export async function strandingProxy({ host = '', port = 5432 }: PoolConfig) {
  const sockets = new Set<Socket>();
  const listener = createServer((near) => {
    const far = host.startsWith('/') ? connect(join(host, `.s.PGSQL.${port}`)) : connect({ host, port });
    near.pipe(far).pipe(near);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
    }
  });
  await once(listener.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (listener.address() as AddressInfo).port,
    strand() {
      for (const socket of sockets) socket.unpipe().pause();
    },
    close() {
      for (const socket of sockets) socket.destroy();
      listener.close();
    },
  };
}
