import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startShop } from '../support/shop';

const MANIFEST = join(__dirname, '../../dist/client/manifest.json');
const BUSY_MS = 200;

let shop: Awaited<ReturnType<typeof startShop>>;
let work: NodeJS.Timeout;
beforeAll(async () => {
  shop = await startShop({ maxLagMs: BUSY_MS / 4 });
  work = setInterval(() => {
    for (const end = performance.now() + BUSY_MS; performance.now() < end;);
  }, 1);
});
afterAll(async () => {
  clearInterval(work);
  await shop.close();
});

const ask = (path: string, accept = '*/*') => fetch(shop.origin + path, { headers: { accept } });
const statusOf = async (path: string, accept?: string) => (await ask(path, accept)).status;

test('a server that comes too late refuses calls for a moment, and never what is ready: pages, scripts, pictures, the catalogue', async () => {
  const { groups } = JSON.parse(readFileSync(MANIFEST, 'utf8')) as { groups: Record<string, string[]> };
  while ((await statusOf('/user')) !== 503);
  const ready = [
    await statusOf(`/assets/${groups['firebase']![0]}`),
    await statusOf('/images/placeholder.svg'),
    await statusOf('/v1/sandbox/stripe.js'),
    await statusOf('/', 'text/html'),
    await statusOf('/dashboard', 'text/html'),
    await statusOf('/tool'),
    await statusOf('/review'),
    await statusOf('/healthz'),
    await statusOf('/metrics'),
  ];
  const refused = await ask('/user');
  expect([...new Set(ready), refused.status, await statusOf('/readyz')]).toEqual([200, 503, 503]);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await refused.json()).toMatchObject({ code: 'unavailable' });
});
