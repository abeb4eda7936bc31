import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from '../scripts/install.mjs';

/** Sends given bytes from memory and does nothing else: what no shop on this machine can beat. */
const [kind, port] = process.argv.slice(2);
const answers = new Map();
for (const { path, headers, body } of await given()) answers.set(path, { headers, body: Buffer.from(body, 'base64') });

async function given() {
  const parts = [];
  for await (const part of process.stdin) parts.push(part);
  return JSON.parse(Buffer.concat(parts));
}

async function startFastify() {
  const app = createRequire(join(root, 'package.json'))('fastify')();
  const send = (reply, { headers, body }) => reply.headers(headers).send(body);
  for (const path of ['/', '/tool', '/review']) {
    const answer = answers.get(path);
    if (answer) app.get(path, (_request, reply) => void send(reply, answer));
  }
  app.get('/tool/:id', (request, reply) => void send(reply, answers.get(`/tool/${request.params.id}`)));
  await app.listen({ port: Number(port), host: '127.0.0.1' });
}

const startBare = () =>
  new Promise((resolve) => {
    const server = createServer((request, response) => {
      const { headers, body } = answers.get(request.url);
      response.writeHead(200, { ...headers, 'content-length': body.length });
      response.end(body);
    });
    server.listen(Number(port), '127.0.0.1', resolve);
  });

await (kind === 'fastify' ? startFastify() : startBare());
process.stdout.write('ready\n');
