import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { reviews } from '../../../server/db/schema';
import { FIREBASE_ENV } from '../../support/googleTokens';
import { startShop } from '../../support/shop';
import { expectEventually } from '../../support/wait';

let shop: Awaited<ReturnType<typeof startShop>>;
beforeAll(async () => void (shop = await startShop({ env: { DEMO: 'on' } })));
afterAll(() => shop.close());

/** @returns the files of each chunk */
function readGroups() {
  const manifest = readFileSync(join(__dirname, '../../../dist/client/manifest.json'), 'utf8');
  return (JSON.parse(manifest) as { groups: Record<string, string[]> }).groups;
}
const get = (path: string, headers: Record<string, string> = {}) => fetch(shop.origin + path, { headers });

test('pages have a strict content security policy with the hashes of their scripts, and are revalidated by browsers', async () => {
  for (const path of ['/', '/blogs', '/about', '/login', '/signup', '/dashboard', '/nowhere', '/nowhere/images/1']) {
    const response = await get(path, { accept: 'text/html' });
    const policy = response.headers.get('content-security-policy')!;
    expect([path, response.status]).toEqual([path, path.startsWith('/nowhere') ? 404 : 200]);
    expect(policy).toMatch(
      /^default-src 'self'; script-src 'self'( 'sha256-[^']+'){2}; frame-src 'self'; connect-src 'self';/,
    );
    expect(policy).toContain("object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    expect(response.headers.get('cache-control')).toBe('no-cache');
    const etag = response.headers.get('etag')!;
    expect((await get(path, { accept: 'text/html', 'if-none-match': etag })).status).toBe(304);
    const inlineScripts = [
      ...(await response.text()).matchAll(/<script(?![^>]*type="application\/)[^>]*>([\s\S]*?)<\/script>/g),
    ];
    expect(inlineScripts).toHaveLength(2);
    for (const [, text] of inlineScripts)
      expect(policy).toContain(`'sha256-${createHash('sha256').update(text!).digest('base64')}'`);
  }
});

test('each page has one canonical URL, and the sitemap lists exactly these URLs', async () => {
  const pathsIn = async (path: string, tag: RegExp) => {
    const text = await (await get(path, { accept: 'text/html' })).text();
    return [...text.matchAll(tag)].map(([, address]) => new URL(address!).pathname);
  };
  const canonicalUrlTag = /<(?:link rel="canonical" href|meta property="og:url" content)="([^"]*)"/g;
  const paths = ['/home', '/blogs', '/about', '/login', '/signup'];
  for (const path of [...paths, '/'])
    expect(await pathsIn(path, canonicalUrlTag)).toEqual(Array(2).fill(path === '/' ? '/home' : path));
  expect(await pathsIn('/sitemap.xml', /<loc>([^<]*)</g)).toEqual(paths);
});

// Clauses A.2.8, C.1.3
test('the page of an unknown path has noindex', async () => {
  const text = await (await get('/nowhere', { accept: 'text/html' })).text();
  expect(text.match(/<meta name="robots" content="noindex"\s*\/?>/g)).toHaveLength(1);
});

// Clause C.14.3
test('chunks are served as immutable and compressed', async () => {
  const response = await get(`/assets/${readGroups()['main']![0]}`, { 'accept-encoding': 'br' });
  expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect(response.headers.get('content-encoding')).toBe('br');
  expect(response.headers.get('vary')).toBe('Accept-Encoding');
});

/** @returns the scripts of these chunks */
function pathsOf(chunks: string[]) {
  const files = chunks.flatMap((name) => readGroups()[name]!).filter((file) => file.endsWith('.js'));
  return [...new Set(files)].map((file) => `/assets/${file}`);
}
const blocksOf = (html: string) =>
  Object.fromEntries(
    [...html.matchAll(/<script id="([\w-]+)" type="application\/json">([^<]*)<\/script>/g)].map(([, id, json]) => [
      id,
      JSON.parse(json!) as Record<string, unknown>,
    ]),
  );

test('each page contains the public settings and names its scripts, and only the home page contains data', async () => {
  for (const path of ['/', '/home', '/blogs', '/login', '/nowhere']) {
    const html = await (await get(path, { accept: 'text/html' })).text();
    const { 'app-config': config, 'app-data': data, ...others } = blocksOf(html);
    expect(config).toEqual({
      identity: { kind: 'embedded', projectId: expect.any(String), google: true, sendsNoMail: true },
      payments: { kind: 'sandbox', publishableKey: expect.stringMatching(/^pk_test_/) },
      demo: true,
      origin: shop.deps.settings.publicUrl,
    });
    const isHome = path === '/' || path === '/home';
    expect([path, others, Object.keys(data ?? {})]).toEqual([path, {}, isHome ? ['tools', 'reviews'] : []]);
    expect(html.match(/\{\{\w+\}\}/)).toBeNull();
    expect(/<noscript>(.*?)<\/noscript>/.exec(html)?.[1]).toBe(
      '<aside aria-label="JavaScript is off">Ordering needs JavaScript. To order by phone, call ' +
        '<a href="tel:+13125550142">+1 312 555 0142</a>.</aside>',
    );
    const scripts = /<script data-scripts="([^"]*)">/.exec(html)![1]!.split(' ');
    const firstScripts = pathsOf(['react', 'store']);
    expect([path, scripts.slice(0, firstScripts.length)]).toEqual([path, firstScripts]);
    expect([scripts.at(-1), new Set(scripts).size]).toEqual([pathsOf(['main']).at(-1), scripts.length]);
    expect((await get(scripts.at(-1)!)).status).toBe(200);
  }
});

test('text in the data of a page cannot end the script element that contains it', async () => {
  const name = 'Saw </script><script>alert(1)</script>';
  const { db, catalog } = shop.deps;
  await db.insert(reviews).values({ name, description: 'a', ratings: 5, img: '/a.svg' });
  await catalog.reportChange('reviews');
  const { origin } = shop;
  await expectEventually(async () => {
    const html = await (await fetch(origin, { headers: { accept: 'text/html' } })).text();
    return [html.includes('Saw \\u003c/script>'), html.includes(name)];
  }, [true, false]);
});

test('the query and slashes at the end of a path do not change the page, and a route has one page for all ids', async () => {
  const etagOf = async (path: string) => (await get(path, { accept: 'text/html' })).headers.get('etag');
  const blogs = await etagOf('/blogs');
  expect(blogs).not.toBe(await etagOf('/about'));
  for (const path of ['/blogs/', '/blogs///', '/blogs?a=/b', '/blogs/?a'])
    expect([path, await etagOf(path)]).toEqual([path, blogs]);
  expect(await etagOf('/purchase/a')).toBe(await etagOf('/purchase/b'));
  expect([
    (await get('/?a', { accept: 'text/html' })).status,
    (await get('/nowhere/', { accept: 'text/html' })).status,
  ]).toEqual([200, 404]);
});

const STRIPE = { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_PUBLISHABLE_KEY: 'pk_test_1' };
const TEST_KEYS_IN_PUBLIC = { ...STRIPE, ...FIREBASE_ENV, PUBLIC_URL: 'https://shop.example' };

test("the payment page is in test mode only with Stripe's test keys on a public origin", async () => {
  const testModeOf = async (env: Record<string, string>) => {
    const shop = await startShop({ env: { ...STRIPE, ...FIREBASE_ENV, RATE_LIMIT: 'on', ...env } });
    const { body } = await shop.app.inject({ path: '/dashboard/payment/1', headers: { accept: 'text/html' } });
    await shop.close();
    return /"testMode":(\w+)/.exec(body)?.[1];
  };
  const liveKeys = { STRIPE_SECRET_KEY: 'sk_live_1', STRIPE_PUBLISHABLE_KEY: 'pk_live_1' };
  expect(await testModeOf(TEST_KEYS_IN_PUBLIC)).toBe('true');
  expect(await testModeOf({ ...TEST_KEYS_IN_PUBLIC, ...liveKeys })).toBe('false');
  expect(await testModeOf({})).toBe('false');
});
