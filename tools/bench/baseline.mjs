import { once } from 'node:events';
import { get } from 'node:http';
import { fileURLToPath } from 'node:url';
import { loadTestKit } from '../lib/testKit.mjs';
import { CORES, startNode } from './machine.mjs';
import { readConnection } from './shop.mjs';

const pathOf = (name) => fileURLToPath(new URL(name, import.meta.url));

/** Fetches a response without decompressing it, so that a baseline server can send the same bytes. */
export async function fetchResponse(origin, path, headers) {
  const [response] = await once(get(`${origin}${path}`, { headers }), 'response');
  const chunks = [];
  for await (const chunk of response) chunks.push(chunk);
  const keptNames = ['content-type', 'content-encoding'].filter((name) => response.headers[name]);
  return {
    path,
    etag: response.headers.etag,
    headers: Object.fromEntries(keptNames.map((name) => [name, response.headers[name]])),
    body: Buffer.concat(chunks).toString('base64'),
  };
}

/** Starts bare Fastify or bare node:http on the shop's core, with the shop's response bodies in memory. */
export async function startBaseline(kind, responses) {
  const port = await loadTestKit().freePort();
  const child = startNode([pathOf('./baselineServer.mjs'), kind, String(port)], {
    core: CORES.server,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(JSON.stringify(responses));
  await once(child.stdout, 'data');
  return { port, pid: child.pid, stop: child.stop };
}

/** Starts a bare Fastify on the shop's core that stores each request body as a row in the shop's database. */
export async function startRowBaseline(shop) {
  const port = await loadTestKit().freePort();
  const options = JSON.stringify({ port, connection: readConnection(shop) });
  const child = startNode([pathOf('./baselineRowServer.mjs'), options], { core: CORES.server });
  await once(child.stdout, 'data');
  return { port, stop: child.stop };
}
