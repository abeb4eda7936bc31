import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { brotliCompressSync } from 'node:zlib';

/** Matches executable scripts, but not data blocks. */
const SCRIPT = /<script(?![^>]*type="application\/)[^>]*>[\s\S]*?<\/script>/g;

const wantsPage = ({ headers }) => (headers.accept ?? '').includes('text/html');

async function fetchStripped(url, accept) {
  const response = await fetch(url, { headers: { accept } });
  const html = (await response.text()).replace(SCRIPT, '');
  const policy = response.headers.get('content-security-policy');
  const type = { 'content-type': 'text/html; charset=utf-8', 'content-encoding': 'br' };
  return {
    status: response.status,
    responseHeaders: { ...type, 'content-security-policy': policy },
    body: brotliCompressSync(html),
  };
}

/** Caches the stripped pages, because compressing them again for each visit would delay the paint that is measured. */
function createStrippedSender(origin) {
  const pages = new Map();
  return async ({ url, headers }, outgoing) => {
    if (!pages.has(url)) pages.set(url, fetchStripped(origin + url, headers.accept));
    const { status, responseHeaders, body } = await pages.get(url);
    outgoing.writeHead(status, responseHeaders);
    outgoing.end(body);
  };
}

function forward(origin, incoming, outgoing) {
  const { method, url, headers } = incoming;
  const upstream = request(origin + url, { method, headers }, (response) => {
    outgoing.writeHead(response.statusCode, response.headers);
    response.pipe(outgoing);
  });
  upstream.on('error', () => outgoing.destroy());
  incoming.pipe(upstream);
}

/** Starts a proxy in front of the shop. It can remove the scripts of pages, to measure what the scripts cost. */
export async function startProxy(origin, { stripped }) {
  const sendStripped = createStrippedSender(origin);
  const server = createServer((incoming, outgoing) => {
    if (!stripped || !wantsPage(incoming)) return forward(origin, incoming, outgoing);
    sendStripped(incoming, outgoing).catch(() => outgoing.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = () => {
    server.close();
    server.closeAllConnections();
  };
  return { origin: `http://127.0.0.1:${server.address().port}`, stop };
}
