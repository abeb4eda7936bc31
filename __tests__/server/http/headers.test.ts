import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { buildSecurityHeaders } from '../../../server/http/securityHeaders';
import { findProjectRoot } from '../../../server/projectRoot';
import { readSettings } from '../../../server/settings/settings';
import type { Tool } from '../../../src/contract/entities';
import { bearer, newAdmin } from '../../support/customers';
import { startShop } from '../../support/shop';

const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'cross-origin-opener-policy': 'same-origin-allow-popups',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(self)',
};
const DATA_CSP = "default-src 'none'; frame-ancestors 'none'";
const PAGE_CSP =
  /^default-src 'self'; script-src 'self'( 'sha256-[^']+'){2}; frame-src 'self'; connect-src 'self'; img-src 'self' data: https:; style-src 'self'( 'sha256-[^']+')*; font-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; worker-src 'self'; manifest-src 'self'$/;
const IDENTITY_PAGE_CSP =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'";
const FRAME_CSP =
  /^default-src 'none'; script-src 'self'; style-src 'sha256-[^']+'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'$/;
const DOCS_CSP = /^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'; frame-ancestors 'none'$/;

const DATA_HEADERS = { csp: DATA_CSP, cacheControl: 'no-store' };
/** Routes whose headers differ from `DATA_HEADERS`. */
const EXCEPTIONS: [RegExp, { csp?: string | RegExp; cacheControl?: string }][] = [
  [
    /^\/(images|icons)\/|^\/site\.webmanifest$|^\/(sitemap\.xml|robots\.txt)$/,
    { cacheControl: 'public, max-age=3600' },
  ],
  [/^\/(tool|tool\/:id|review)$/, { cacheControl: 'no-cache' }],
  [/\/jwks\.json$/, { cacheControl: 'public, max-age=300' }],
  [/^\/(identity\/google(\/chooser\..*)?|__\/auth\/.*)$/, { csp: IDENTITY_PAGE_CSP }],
  [/^\/v1\/sandbox\/(card|challenge)$/, { csp: FRAME_CSP, cacheControl: 'no-cache' }],
  [/^\/v1\/sandbox\/\w+\.js$/, { cacheControl: 'no-cache' }],
  [/^\/docs$/, { csp: DOCS_CSP }],
];
/** Lists the files that a wildcard route serves. */
function filesOf(url: string): string[] {
  const folder = url.slice(0, -'/*'.length);
  return readdirSync(join(findProjectRoot(), 'dist/client/public', folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?!br$|gz$)\w+$/.test(name))
    .map((name) => `${folder}/${name}`);
}
const PAGES = ['/', '/blogs', '/login', '/purchase/x', '/dashboard', '/dashboard/allorders', '/nowhere'];
/** Headers that neither protect nor reveal anything. The test checks all others. */
const UNCHECKED =
  /^(date|connection|keep-alive|transfer-encoding|content-(length|type|encoding)|etag|last-modified|accept-ranges|vary|x-request-id|x-total-count|www-authenticate|request-id|stripe-version)$/;

const routes = new Set<string>();
let shop: Awaited<ReturnType<typeof startShop>>;
let admin: Record<string, string>;
let tool: Tool;
beforeAll(async () => {
  shop = await startShop({
    env: { DEMO: 'on' },
    onRoute: ({ method, url }) => {
      for (const name of [method].flat()) routes.add(`${name} ${url}`);
    },
  });
  admin = bearer(await newAdmin(shop));
  [tool] = (await (await send('GET', '/tool', {})).json()) as [Tool];
});
afterAll(() => shop.close());

function send(method: string, path: string, headers: Record<string, string>): Promise<Response> {
  const body = ['POST', 'PUT', 'PATCH'].includes(method) ? '{}' : undefined;
  const type = body && { 'content-type': 'application/json' };
  return fetch(shop.origin + path, { method, body, headers: { ...headers, ...type } });
}

function checkedHeaders({ headers }: Response) {
  expect(headers.get('x-request-id')).toMatch(/^[a-z0-9]{5}-[a-z0-9]+$/);
  return Object.fromEntries([...headers].filter(([name]) => !UNCHECKED.test(name)));
}

const expectedHeaders = (csp: string | RegExp, cacheControl: string) => ({
  ...SECURITY_HEADERS,
  'content-security-policy': typeof csp === 'string' ? csp : (expect.stringMatching(csp) as string),
  'cache-control': cacheControl,
});

test('every route sends exactly the security headers that its responses need, to anonymous callers as well as admins', async () => {
  const paths = [...routes].flatMap((route) => {
    const [method = '', url = ''] = route.split(' ');
    return (/^\/(images|icons)\/\*$/.test(url) ? filesOf(url) : [url]).map((path) => `${method} ${path}`);
  });
  expect(paths.length).toBeGreaterThan(100);
  const [failedRoutes, succeededRoutes] = [new Set<string>(), new Set<string>()];
  for (const route of paths) {
    const [method = '', url = ''] = route.split(' ');
    if (method === 'TRACE') continue;
    const path = url.replace('::', ':').replace(':id', tool._id).replace(':email', 'somebody@mail.example');
    for (const caller of [{}, admin]) {
      const response = await send(method, path, { accept: 'application/json', ...caller });
      const exception = EXCEPTIONS.find(([paths]) => paths.test(url))?.[1];
      if (exception && method === 'GET') (response.ok ? succeededRoutes : failedRoutes).add(route);
      const { csp, cacheControl } = { ...DATA_HEADERS, ...(response.ok && method !== 'PATCH' && exception) };
      expect([route, response.status, checkedHeaders(response)]).toEqual([
        route,
        response.status,
        expectedHeaders(csp, cacheControl),
      ]);
    }
  }
  expect([...failedRoutes].filter((route) => !succeededRoutes.has(route))).toEqual([]);
}, 120_000);

test('pages are sent with exactly the security headers of pages', async () => {
  for (const path of PAGES)
    expect([path, checkedHeaders(await send('GET', path, { accept: 'text/html' }))]).toEqual([
      path,
      expectedHeaders(PAGE_CSP, 'no-cache'),
    ]);
});

test("a shop behind TLS sends HSTS for a year, and a shop with Stripe lets Stripe use the browser's Payment Request API", () => {
  const keys = { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_PUBLISHABLE_KEY: 'pk_test_1' };
  const settings = readSettings({ PUBLIC_URL: 'https://shop.example', DEMO_EXPOSED: 'on', ...keys });
  expect(buildSecurityHeaders(settings)).toEqual({
    ...SECURITY_HEADERS,
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(self "https://js.stripe.com")',
    'strict-transport-security': 'max-age=31536000; includeSubDomains',
  });
});
