import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { brotliCompressSync } from 'node:zlib';

/** What runs; blocks of data stay. */
const SCRIPT = /<script(?![^>]*type="application\/)[^>]*>[\s\S]*?<\/script>/g;

const wantsPage = ({ headers }) => (headers.accept ?? '').includes('text/html');

/** Packed as the shop packs it, once: what is slow to come would look slow to paint. */
async function strip(url, accept) {
  const answer = await fetch(url, { headers: { accept } });
  const html = (await answer.text()).replace(SCRIPT, '');
  const policy = answer.headers.get('content-security-policy');
  const type = { 'content-type': 'text/html; charset=utf-8', 'content-encoding': 'br' };
  return {
    status: answer.status,
    head: { ...type, 'content-security-policy': policy },
    body: brotliCompressSync(html),
  };
}

/** Answers how a stripped page is sent. */
function stripping(origin) {
  const pages = new Map();
  return async ({ url, headers }, outgoing) => {
    if (!pages.has(url)) pages.set(url, strip(origin + url, headers.accept));
    const { status, head, body } = await pages.get(url);
    outgoing.writeHead(status, head);
    outgoing.end(body);
  };
}

function pass(origin, incoming, outgoing) {
  const { method, url, headers } = incoming;
  const passed = request(origin + url, { method, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode, answer.headers);
    answer.pipe(outgoing);
  });
  passed.on('error', () => outgoing.destroy());
  incoming.pipe(passed);
}

/** A shop as others see it, with the scripts of its pages taken out or left in: what they cost is the difference. */
export async function standBefore(origin, { stripped }) {
  const sendStripped = stripping(origin);
  const server = createServer((incoming, outgoing) => {
    if (!stripped || !wantsPage(incoming)) return pass(origin, incoming, outgoing);
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
