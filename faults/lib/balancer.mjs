import { once } from 'node:events';
import { Agent, createServer, request } from 'node:http';
import { onCleanUp } from './cleanUp.mjs';

const NOT_CONNECTED = ['ECONNREFUSED'];

/** Starts a load balancer that uses the servers in turn. It tries the next server only if the connection is refused. */
export async function startBalancer(shops) {
  const agent = new Agent({ keepAlive: true, maxSockets: 200 });
  let nextShop = 0;

  function forward(incoming, outgoing, body, tries) {
    const { port } = shops[nextShop++ % shops.length];
    const { method, url: path, headers } = incoming;
    const upstreamRequest = request({ host: '127.0.0.1', port, method, path, headers, agent }, (upstream) => {
      outgoing.writeHead(upstream.statusCode, upstream.headers);
      upstream.on('error', () => outgoing.destroy());
      upstream.pipe(outgoing);
    });
    upstreamRequest.on('error', (error) => {
      if (outgoing.headersSent) outgoing.destroy();
      else if (NOT_CONNECTED.includes(error.code) && tries < shops.length) forward(incoming, outgoing, body, tries + 1);
      else outgoing.writeHead(502).end();
    });
    upstreamRequest.end(body);
  }

  const listener = createServer((incoming, outgoing) => {
    const chunks = [];
    incoming.on('data', (chunk) => chunks.push(chunk));
    incoming.on('end', () => forward(incoming, outgoing, Buffer.concat(chunks), 1));
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  onCleanUp(() => {
    listener.close();
    listener.closeAllConnections();
    agent.destroy();
  });
  return { origin: `http://127.0.0.1:${listener.address().port}` };
}
