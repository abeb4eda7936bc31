import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

type Loss = 'request' | 'answer' | undefined;

/** Starts an HTTP proxy for a browser, which loses the requests, or their answers, that `lossOf` chooses. */
export async function startDroppingProxy(lossOf: (call: string) => Loss) {
  const proxy = createServer((incoming, outgoing) => {
    const { pathname } = new URL(incoming.url!);
    const loss = lossOf(`${incoming.method} ${pathname}`);
    const drop = () => incoming.socket.destroy();
    if (loss === 'request') return drop();
    const { method, headers } = incoming;
    const forwarded = request(incoming.url!, { method, headers }, (answer) => {
      if (loss === 'answer') return answer.resume().on('end', drop);
      outgoing.writeHead(answer.statusCode!, answer.headers);
      return answer.pipe(outgoing);
    });
    forwarded.on('error', drop);
    return incoming.pipe(forwarded);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    stop() {
      proxy.close();
      proxy.closeAllConnections();
    },
  };
}
