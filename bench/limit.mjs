import { once } from 'node:events';
import { get } from 'node:http';
import { fileURLToPath } from 'node:url';
import { testKit } from '../scripts/testKit.mjs';
import { CORES, startNode } from './machine.mjs';
import { connectionOf } from './shop.mjs';

const here = (name) => fileURLToPath(new URL(name, import.meta.url));

/** An answer of the shop as it goes over the wire, still compressed. */
export async function answerOf(origin, path, headers) {
  const [answer] = await once(get(`${origin}${path}`, { headers }), 'response');
  const parts = [];
  for await (const part of answer) parts.push(part);
  const kept = ['content-type', 'content-encoding'].filter((name) => answer.headers[name]);
  return {
    path,
    etag: answer.headers.etag,
    headers: Object.fromEntries(kept.map((name) => [name, answer.headers[name]])),
    body: Buffer.concat(parts).toString('base64'),
  };
}

/** Bare Fastify or bare node:http, on the core that the shop has, with the shop's bytes in memory. */
export async function startLimit(kind, answers) {
  const port = await testKit().freePort();
  const child = startNode([here('./limitServer.mjs'), kind, String(port)], {
    core: CORES.server,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(JSON.stringify(answers));
  await once(child.stdout, 'data');
  return { port, pid: child.pid, stop: child.stop };
}

/** A bare Fastify that keeps what it is sent in the shop's database, a row a call, on the core that both have. */
export async function startRowLimit(shop) {
  const port = await testKit().freePort();
  const given = JSON.stringify({ port, connection: connectionOf(shop) });
  const child = startNode([here('./rowServer.mjs'), given], { core: CORES.server });
  await once(child.stdout, 'data');
  return { port, stop: child.stop };
}
