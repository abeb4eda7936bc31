import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

const ROOT = join(__dirname, '../../..');
const ADVISORY = {
  id: 1,
  title: 'x',
  severity: 'high',
  vulnerable_versions: '*',
  url: 'https://a.example',
  cwe: [],
  cvss: {},
};

let advisoryResponse: { status: number; body: object };
/** @returns the registry document of a package, which npm reads to see which versions are affected */
function registryDocumentOf(name: string) {
  const folders = [ROOT, join(ROOT, '__tests__')].map((folder) => join(folder, 'node_modules', name, 'package.json'));
  const file = folders.find((path) => existsSync(path));
  const { version } = file ? (JSON.parse(readFileSync(file, 'utf8')) as Versioned) : { version: '1.0.0' };
  return { name, 'dist-tags': { latest: version }, versions: { [version]: { name, version } } };
}
interface Versioned {
  version: string;
}

const registry = createServer((request, response) => {
  request.resume();
  const { method, url = '' } = request;
  if (method === 'GET') return void response.end(JSON.stringify(registryDocumentOf(decodeURIComponent(url.slice(1)))));
  response
    .writeHead(advisoryResponse.status, { 'content-type': 'application/json' })
    .end(JSON.stringify(advisoryResponse.body));
});
beforeAll(async () => {
  registry.listen(0, '127.0.0.1');
  await once(registry, 'listening');
});
afterAll(() => void registry.close());

/** Runs the real command with a registry on this machine. */
async function runSupply(...args: string[]) {
  const { port } = registry.address() as AddressInfo;
  const settings = { npm_config_registry: `http://127.0.0.1:${port}/`, npm_config_fetch_retries: '0' };
  const child = spawn(process.execPath, [join(ROOT, 'tools/supply.mjs'), ...args], {
    env: { ...process.env, ...settings },
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number];
  return { code, text };
}

test('npm run tool -- supply fails if a dependency has a high advisory, and names the dependency', async () => {
  advisoryResponse = { status: 200, body: { jose: [ADVISORY] } };
  const { code, text } = await runSupply();
  expect([code, text]).toEqual([1, expect.stringContaining('jose *: high')]);
}, 60_000);
