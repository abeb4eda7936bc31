import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from '../../scripts/install.mjs';

/** A server that only sends given bytes from memory. It shows the highest throughput that any shop could have on this machine. */
const [kind, port] = process.argv.slice(2);
const responses = new Map();
for (const { path, headers, body } of await readResponses())
  responses.set(path, { headers, body: Buffer.from(body, 'base64') });

async function readResponses() {
  const chunks = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks));
}

async function startFastify() {
  const app = createRequire(join(root, 'package.json'))('fastify')();
  const send = (reply, { headers, body }) => reply.headers(headers).send(body);
  for (const path of ['/', '/tool', '/review']) {
    const response = responses.get(path);
    if (response) app.get(path, (_request, reply) => void send(reply, response));
  }
  app.get('/tool/:id', (request, reply) => void send(reply, responses.get(`/tool/${request.params.id}`)));
  await app.listen({ port: Number(port), host: '127.0.0.1' });
}

const startBare = () =>
  new Promise((resolve) => {
    const server = createServer((request, response) => {
      const { headers, body } = responses.get(request.url);
      response.writeHead(200, { ...headers, 'content-length': body.length });
      response.end(body);
    });
    server.listen(Number(port), '127.0.0.1', resolve);
  });

await (kind === 'fastify' ? startFastify() : startBare());
process.stdout.write('ready\n');
