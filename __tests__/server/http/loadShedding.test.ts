import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startShop } from '../../support/shop';
import { expectEventually } from '../../support/wait';

const MANIFEST = join(__dirname, '../../../dist/client/manifest.json');
/** Below zero, so that even a punctual event loop is too late. */
const MAX_LAG_MS = -1_000;

let shop: Awaited<ReturnType<typeof startShop>>;
beforeAll(async () => {
  // Time stands still, so that the server remains overloaded.
  jest.spyOn(performance, 'now').mockReturnValue(performance.now());
  shop = await startShop({ maxLagMs: MAX_LAG_MS });
});
afterAll(async () => {
  jest.restoreAllMocks();
  await shop.close();
});

const get = (path: string, accept = '*/*') => fetch(shop.origin + path, { headers: { accept } });
const statusOf = async (path: string, accept?: string) => (await get(path, accept)).status;

test('an overloaded server answers 503, but still serves pages, scripts, pictures and the catalog', async () => {
  const { groups } = JSON.parse(readFileSync(MANIFEST, 'utf8')) as { groups: Record<string, string[]> };
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
});
