import { once } from 'node:events';
import { Agent, createServer, request } from 'node:http';
import { atEnd } from './ending.mjs';

const NEVER_REACHED = ['ECONNREFUSED'];

/** The plainest balancer there is: the next server in turn, another one only when that one cannot be reached. */
export async function balancerOf(shops) {
  const agent = new Agent({ keepAlive: true, maxSockets: 200 });
  let turn = 0;

  function forward(asked, answer, body, tries) {
    const { port } = shops[turn++ % shops.length];
    const { method, url: path, headers } = asked;
    const inner = request({ host: '127.0.0.1', port, method, path, headers, agent }, (got) => {
      answer.writeHead(got.statusCode, got.headers);
      got.on('error', () => answer.destroy());
      got.pipe(answer);
    });
    inner.on('error', (error) => {
      if (answer.headersSent) answer.destroy();
      else if (NEVER_REACHED.includes(error.code) && tries < shops.length) forward(asked, answer, body, tries + 1);
      else answer.writeHead(502).end();
    });
    inner.end(body);
  }

  const listener = createServer((asked, answer) => {
    const chunks = [];
    asked.on('data', (chunk) => chunks.push(chunk));
    asked.on('end', () => forward(asked, answer, Buffer.concat(chunks), 1));
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  atEnd(() => {
    listener.close();
    listener.closeAllConnections();
    agent.destroy();
  });
  return { origin: `http://127.0.0.1:${listener.address().port}` };
}
