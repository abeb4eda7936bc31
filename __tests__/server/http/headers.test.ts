import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { securityHeaders } from '../../../server/http/securityHeaders';
import { projectRoot } from '../../../server/projectRoot';
import { readSettings } from '../../../server/settings';
import type { Tool } from '../../../src/contract/entities';
import { bearer, newAdmin } from '../../support/customers';
import { startShop } from '../../support/shop';

const PROTECTED = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'cross-origin-opener-policy': 'same-origin-allow-popups',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(self)',
};
const NOTHING = "default-src 'none'; frame-ancestors 'none'";
const PAGE =
  /^default-src 'self'; script-src 'self'( 'sha256-[^']+'){2}; frame-src 'self'; connect-src 'self'; img-src 'self' data: https:; style-src 'self'( 'sha256-[^']+')*; font-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; worker-src 'self'; manifest-src 'self'$/;
const CHOOSER =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'";
const FRAME =
  /^default-src 'none'; script-src 'self'; style-src 'sha256-[^']+'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'$/;
const DOCS = /^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'; frame-ancestors 'none'$/;

const DATA = { policy: NOTHING, keep: 'no-store' };
/** What is not what all others are: data that runs nothing and that nobody keeps. */
const OTHERS: [RegExp, { policy?: string | RegExp; keep?: string }][] = [
  [/^\/(images|icons)\/|^\/site\.webmanifest$|^\/(sitemap\.xml|robots\.txt)$/, { keep: 'public, max-age=3600' }],
  [/^\/(tool|tool\/:id|review)$/, { keep: 'no-cache' }],
  [/\/jwks\.json$/, { keep: 'public, max-age=300' }],
  [/^\/identity\/google(\/chooser\..*)?$/, { policy: CHOOSER }],
  [/^\/v1\/sandbox\/(card|challenge)$/, { policy: FRAME, keep: 'no-cache' }],
  [/^\/v1\/sandbox\/\w+\.js$/, { keep: 'no-cache' }],
  [/^\/docs$/, { policy: DOCS }],
];
/** Each file that is behind a route of files. */
function filesOf(url: string): string[] {
  const folder = url.slice(0, -'/*'.length);
  return readdirSync(join(projectRoot(), 'dist/client/public', folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?!br$|gz$)\w+$/.test(name))
    .map((name) => `${folder}/${name}`);
}
const PAGES = ['/', '/blogs', '/login', '/purchase/x', '/dashboard', '/dashboard/allorders', '/nowhere'];
/** Neither protects nor gives anything away; all else is looked at. */
const PLAIN =
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
  [tool] = (await (await ask('GET', '/tool', {})).json()) as [Tool];
});
afterAll(() => shop.close());

async function ask(method: string, path: string, headers: Record<string, string>): Promise<Response> {
  const body = ['POST', 'PUT', 'PATCH'].includes(method) ? '{}' : undefined;
  const type = body && { 'content-type': 'application/json' };
  const answer = await fetch(shop.origin + path, { method, body, headers: { ...headers, ...type } });
  if (answer.status !== 503) return answer;
  await sleep(200);
  return ask(method, path, headers);
}

function lookedAt({ headers }: Response) {
  expect(headers.get('x-request-id')).toMatch(/^[a-z0-9]{5}-[a-z0-9]+$/);
  return Object.fromEntries([...headers].filter(([name]) => !PLAIN.test(name)));
}

const wanted = (policy: string | RegExp, keep: string) => ({
  ...PROTECTED,
  'content-security-policy': typeof policy === 'string' ? policy : (expect.stringMatching(policy) as string),
  'cache-control': keep,
});

test('every route, asked by a stranger and by an admin, has the headers of its kind and no others', async () => {
  const paths = [...routes].flatMap((route) => {
    const [method = '', url = ''] = route.split(' ');
    return (/^\/(images|icons)\/\*$/.test(url) ? filesOf(url) : [url]).map((path) => `${method} ${path}`);
  });
  expect(paths.length).toBeGreaterThan(100);
  const [missing, found] = [new Set<string>(), new Set<string>()];
  for (const route of paths) {
    const [method = '', url = ''] = route.split(' ');
    if (method === 'TRACE') continue;
    const path = url.replace('::', ':').replace(':id', tool._id).replace(':email', 'somebody@mail.example');
    for (const caller of [{}, admin]) {
      const answer = await ask(method, path, { accept: 'application/json', ...caller });
      const other = OTHERS.find(([paths]) => paths.test(url))?.[1];
      if (other && method === 'GET') (answer.ok ? found : missing).add(route);
      const { policy, keep } = { ...DATA, ...(answer.ok && other) };
      expect([route, answer.status, lookedAt(answer)]).toEqual([route, answer.status, wanted(policy, keep)]);
    }
  }
  expect([...missing].filter((route) => !found.has(route))).toEqual([]);
}, 120_000);

test('so has every page', async () => {
  for (const path of PAGES)
    expect([path, lookedAt(await ask('GET', path, { accept: 'text/html' }))]).toEqual([path, wanted(PAGE, 'no-cache')]);
});

test('behind TLS it is TLS for a year, and a shop with Stripe lets Stripe ask for a card', () => {
  const keys = { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_PUBLISHABLE_KEY: 'pk_test_1' };
  const settings = readSettings({ PUBLIC_URL: 'https://shop.example', DEMO_EXPOSED: 'on', ...keys });
  expect(securityHeaders(settings)).toEqual({
    ...PROTECTED,
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(self "https://js.stripe.com")',
    'strict-transport-security': 'max-age=31536000; includeSubDomains',
  });
});
