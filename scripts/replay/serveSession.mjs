import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { root } from '../install.mjs';

const CONTENT_TYPES = {
  '.js': 'text/javascript',
  '.woff2': 'font/woff2',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
};
const CONFIG = {
  identity: { kind: 'embedded', projectId: 'replay', google: false },
  payments: { kind: 'sandbox', publishableKey: 'pk_test_replay' },
  demo: false,
  origin: 'http://127.0.0.1',
};
const client = join(root, 'dist/client');

const dataBlock = (id, value) =>
  `<script id="${id}" type="application/json">${JSON.stringify(value).replaceAll('<', '\\u003c')}</script>`;

function renderPage(session, { groups }) {
  const files = [...new Set(['react', 'store', 'main'].flatMap((name) => groups[name]))];
  const scripts = files.filter((file) => file.endsWith('.js')).map((file) => `<script src="/assets/${file}"></script>`);
  return (
    '<!doctype html><html lang="en"><head><meta charset="utf-8">' +
    '<meta name="viewport" content="width=device-width, initial-scale=1"></head><body><div id="root"></div>' +
    dataBlock('app-config', CONFIG) +
    dataBlock('replay-file', session) +
    `${scripts.join('')}</body></html>`
  );
}

export const readManifest = () => JSON.parse(readFileSync(join(client, 'manifest.json'), 'utf8'));

/** Serves the built pages, but none of the shop's API. */
export async function serveSession(session) {
  const page = renderPage(session, readManifest());
  const server = createServer(({ url = '/' }, response) => {
    const path = normalize(new URL(url, CONFIG.origin).pathname);
    const type = CONTENT_TYPES[extname(path)];
    const file = join(client, path.startsWith('/assets/') ? path : join('public', path));
    if (!type) return response.writeHead(200, { 'content-type': 'text/html' }).end(page);
    if (!existsSync(file)) return response.writeHead(404).end();
    response.writeHead(200, { 'content-type': type }).end(readFileSync(file));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, origin: `http://127.0.0.1:${server.address().port}` };
}
