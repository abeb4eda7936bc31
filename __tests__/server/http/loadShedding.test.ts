import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expectEventually } from '../../support/wait';
import { startShop } from '../../support/shop';

const MANIFEST = join(__dirname, '../../../dist/client/manifest.json');
const BLOCK_MS = 200;

let shop: Awaited<ReturnType<typeof startShop>>;
beforeAll(async () => void (shop = await startShop({ maxLagMs: BLOCK_MS / 4 })));
afterAll(() => shop.close());

function blockEventLoop(ms: number) {
  for (const end = performance.now() + ms; performance.now() < end;);
}

const get = (path: string, accept = '*/*') => fetch(shop.origin + path, { headers: { accept } });
const statusOf = async (path: string, accept?: string) => (await get(path, accept)).status;

test('an overloaded server answers 503, but still serves pages, scripts, pictures and the catalog', async () => {
  const { groups } = JSON.parse(readFileSync(MANIFEST, 'utf8')) as { groups: Record<string, string[]> };
  const blockingTimer = setInterval(() => blockEventLoop(BLOCK_MS), 1);
  try {
    await expectEventually(() => statusOf('/user'), 503);
    const statuses = [
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
    const refused = await get('/user');
    expect([...new Set(statuses), refused.status, await statusOf('/readyz')]).toEqual([200, 503, 503]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await refused.json()).toMatchObject({ code: 'unavailable' });
  } finally {
    clearInterval(blockingTimer);
  }
  await expectEventually(() => statusOf('/user'), 401);
});

test('a single long pause of the event loop does not count as overload', async () => {
  const shopWithHighLimit = await startShop({ maxLagMs: 2000 });
  try {
    blockEventLoop(2500);
    expect((await fetch(`${shopWithHighLimit.origin}/user`)).status).toBe(401);
  } finally {
    await shopWithHighLimit.close();
  }
});
