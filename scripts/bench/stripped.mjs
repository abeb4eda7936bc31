import { once } from 'node:events';
import { createServer, request } from 'node:http';

/** What runs; blocks of data stay. */
const SCRIPT = /<script(?![^>]*type="application\/)[^>]*>[\s\S]*?<\/script>/g;

const wantsPage = ({ headers }) => (headers.accept ?? '').includes('text/html');

async function sendStripped(origin, { url, headers }, outgoing) {
  const answer = await fetch(origin + url, { headers: { accept: headers.accept } });
  const html = (await answer.text()).replace(SCRIPT, '');
  const policy = answer.headers.get('content-security-policy');
  outgoing.writeHead(answer.status, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy });
  outgoing.end(html);
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
  const server = createServer((incoming, outgoing) => {
    if (!stripped || !wantsPage(incoming)) return pass(origin, incoming, outgoing);
    sendStripped(origin, incoming, outgoing).catch(() => outgoing.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = () => {
    server.close();
    server.closeAllConnections();
  };
  return { origin: `http://127.0.0.1:${server.address().port}`, stop };
}
