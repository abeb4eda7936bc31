import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startShop } from '../../support/shop';

let shop: Awaited<ReturnType<typeof startShop>>;
beforeAll(async () => void (shop = await startShop({ env: { DEMO: 'on' } })));
afterAll(() => shop.close());

const get = (path: string, headers: Record<string, string> = {}) => fetch(shop.origin + path, { headers });

test('pages have a strict content security policy with the hashes of their scripts, and are revalidated by browsers', async () => {
  for (const path of ['/', '/blogs', '/about', '/login', '/signup', '/dashboard', '/nowhere']) {
    const response = await get(path, { accept: 'text/html' });
    const policy = response.headers.get('content-security-policy')!;
    expect([path, response.status]).toEqual([path, path === '/nowhere' ? 404 : 200]);
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
  const { groups } = JSON.parse(readFileSync(join(__dirname, '../../../dist/client/manifest.json'), 'utf8')) as {
    groups: Record<string, string[]>;
  };
  const response = await get(`/assets/${groups['main']![0]}`, { 'accept-encoding': 'br' });
  expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect(response.headers.get('content-encoding')).toBe('br');
});
