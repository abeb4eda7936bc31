import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { buildSecurityHeaders } from '../../../server/http/securityHeaders';
import { findProjectRoot } from '../../../server/projectRoot';
import { readSettings } from '../../../server/settings/settings';
import type { Tool } from '../../../src/contract/entities';
import { bearer, newCustomer } from '../../support/customers';
import { startShop } from '../../support/shop';
import { FIREBASE_ENV, startGoogle } from '../../support/googleTokens';
import { callShop } from '../../support/api';

const PROJECT = FIREBASE_ENV.FIREBASE_PROJECT_ID;

describe('Security headers', () => {
  const SECURITY_HEADERS = {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(self)',
  };
  const DATA_CSP = "default-src 'none'; frame-ancestors 'none'";
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
  /** Headers that neither protect nor reveal anything. The test checks all others. */
  const UNCHECKED =
    /^(date|connection|keep-alive|transfer-encoding|content-(length|type|encoding|disposition)|etag|last-modified|accept-ranges|vary|x-request-id|x-total-count|www-authenticate|request-id|stripe-version)$/;

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
    admin = bearer(await newCustomer(shop, { role: 'admin' }));
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

  test("a shop behind TLS sends HSTS for a year, and a shop with Stripe lets Stripe use the browser's Payment Request API", () => {
    const keys = { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_PUBLISHABLE_KEY: 'pk_test_1' };
    const settings = readSettings({ PUBLIC_URL: 'https://shop.example', DEMO_EXPOSED: 'on', ...keys });
    expect(buildSecurityHeaders(settings)).toEqual({
      ...SECURITY_HEADERS,
      'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(self "https://js.stripe.com")',
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
    });
  });
});

describe('The content security policy', () => {
  const STRIPE = { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_PUBLISHABLE_KEY: 'pk_test_1' };
  const EMULATOR = { FIREBASE_AUTH_EMULATOR_HOST: '127.0.0.1:9099', FIREBASE_PROJECT_ID: PROJECT };
  const PUBLIC = { PUBLIC_URL: 'https://shop.example', RATE_LIMIT: 'on' };

  interface ExtraSources {
    script?: string;
    frame?: string;
    connect?: string;
    end?: string;
  }

  const buildPolicy = ({ script = '', frame = '', connect = '', end = '' }: ExtraSources) =>
    `default-src 'self'; script-src 'self' SCRIPTS${script}; frame-src 'self'${frame}; connect-src 'self'${connect}; ` +
    `img-src 'self' data: https:; style-src 'self' STYLES; font-src 'self'; object-src 'none'; base-uri 'none'; ` +
    `form-action 'self'; frame-ancestors 'none'; worker-src 'self'; manifest-src 'self'${end}`;

  const GOOGLE_SCRIPT = ' https://apis.google.com';
  const STRIPE_SCRIPT = ' https://js.stripe.com https://*.js.stripe.com';
  const STRIPE_FRAME = ' https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com';
  const STRIPE_CONNECT = ' https://api.stripe.com';
  const FIREBASE_FRAME = ` https://${PROJECT}.firebaseapp.com`;
  const FIREBASE_CONNECT = ' https://identitytoolkit.googleapis.com https://securetoken.googleapis.com';

  const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  const hashAll = (html: string, pattern: RegExp) => [...html.matchAll(pattern)].map(([, text]) => hashOf(text!));

  /**
   * @returns the hashes of the page's scripts and those of its styles, each list with the word that stands for it in the
   * expected policy. The styles include the empty one that styled-components adds and fills.
   */
  function hashesIn(html: string): [string, string][] {
    const scripts = hashAll(html, /<script(?: data-scripts="[^"]*")?>([\s\S]*?)<\/script>/g);
    const styles = hashAll(html, /<style[^>]*>([\s\S]*?)<\/style>/g);
    expect([scripts.length, styles.length > 0]).toEqual([2, true]);
    return [
      [scripts.join(' '), 'SCRIPTS'],
      [[...styles, hashOf('')].join(' '), 'STYLES'],
    ];
  }

  /** The settings in the HTML of a page. Only the demo offers the embedded service's imitation of Google. */
  const EMBEDDED = { kind: 'embedded', projectId: expect.any(String) as string, google: false, sendsNoMail: false };
  const SANDBOX = { kind: 'sandbox', publishableKey: expect.stringMatching(/^pk_test_/) as string };
  const FIREBASE = {
    kind: 'firebase',
    apiKey: 'test-key',
    authDomain: `${PROJECT}.firebaseapp.com`,
    projectId: PROJECT,
    appId: '1:1:web:1',
    google: true,
  };
  const STRIPE_CONFIG = { kind: 'stripe', publishableKey: 'pk_test_1' };

  it.each<[string, Record<string, string>, ExtraSources, object]>([
    ['the sandbox and the embedded identity service', {}, {}, { identity: EMBEDDED, payments: SANDBOX }],
    [
      'Stripe',
      STRIPE,
      { script: STRIPE_SCRIPT, frame: STRIPE_FRAME, connect: STRIPE_CONNECT },
      { identity: EMBEDDED, payments: { ...STRIPE_CONFIG, testMode: false } },
    ],
    [
      'Firebase',
      FIREBASE_ENV,
      { script: GOOGLE_SCRIPT, frame: FIREBASE_FRAME, connect: FIREBASE_CONNECT },
      { identity: FIREBASE, payments: SANDBOX },
    ],
    [
      'the Auth emulator',
      EMULATOR,
      { script: GOOGLE_SCRIPT, frame: ' http://127.0.0.1:9099', connect: ' http://127.0.0.1:9099' },
      { identity: { kind: 'emulator', host: '127.0.0.1:9099', projectId: PROJECT, google: true }, payments: SANDBOX },
    ],
    [
      'Firebase and Stripe behind TLS',
      { ...FIREBASE_ENV, ...STRIPE, ...PUBLIC },
      {
        script: STRIPE_SCRIPT + GOOGLE_SCRIPT,
        frame: STRIPE_FRAME + FIREBASE_FRAME,
        connect: STRIPE_CONNECT + FIREBASE_CONNECT,
        end: '; upgrade-insecure-requests',
      },
      { identity: FIREBASE, payments: { ...STRIPE_CONFIG, testMode: true } },
    ],
  ])('the CSP of a shop with %s allows exactly the origins that it needs', async (_services, env, expected, config) => {
    const google = await startGoogle();
    const shop = await startShop({ env, google: google.endpoints });
    try {
      for (const path of ['/', '/login', '/nowhere']) {
        const response = await fetch(shop.origin + path, { headers: { accept: 'text/html' } });
        let policy = response.headers.get('content-security-policy')!;
        const html = await response.text();
        for (const [hashes, name] of hashesIn(html)) policy = policy.replace(hashes, name);
        expect([path, policy]).toEqual([path, buildPolicy(expected)]);
        const [, publicConfig] = /<script id="app-config" type="application\/json">([^<]*)</.exec(html)!;
        const { publicUrl: origin, demo, shipWithinDays } = shop.deps.settings;
        expect([path, JSON.parse(publicConfig!)]).toEqual([path, { ...config, demo, origin, shipWithinDays }]);
      }
    } finally {
      await shop.close();
      await google.stop();
    }
  });
});

describe('Cached headers', () => {
  let shop: Awaited<ReturnType<typeof startShop>>;
  beforeAll(async () => {
    shop = await startShop({ env: { DEMO: 'on' } });
  });
  afterAll(() => shop.close());

  const KINDS = {
    notModified: { headers: { 'if-none-match': '*' }, status: 304, encoding: undefined },
    plain: { headers: {}, status: 200, encoding: undefined },
    gzip: { headers: { 'accept-encoding': 'gzip' }, status: 200, encoding: 'gzip' },
    br: { headers: { 'accept-encoding': 'br' }, status: 200, encoding: 'br' },
  };
  type Kind = keyof typeof KINDS;
  const kinds = Object.keys(KINDS) as Kind[];

  async function fetchKind(path: string, kind: Kind) {
    const headers = { accept: 'text/html', ...KINDS[kind].headers };
    const clientRequest = request(shop.origin + path, { headers }).end();
    const [response] = (await once(clientRequest, 'response')) as [IncomingMessage];
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    return { response, bytes: Buffer.concat(chunks).length };
  }

  /** @returns the headers that do not describe the body or this one response */
  const commonHeadersOf = ({ headers }: IncomingMessage) =>
    Object.entries(headers).filter(
      ([name]) => !/^(content-(type|encoding|length)|transfer-encoding|date|x-request-id)$/.test(name),
    );

  /** The server caches the response headers of each kind. The first response must not determine those of other kinds. */
  it.each([
    ['/blogs', 'notModified'],
    ['/login', 'plain'],
    ['/signup', 'gzip'],
    ['/dashboard', 'br'],
  ] as const)(
    '%s sends the right headers with each kind of response, whichever kind it sends first: %s',
    async (path, first) => {
      const { response: firstResponse } = await fetchKind(path, first);
      expect(firstResponse.headers['content-security-policy']).toContain("default-src 'self'");
      for (const kind of [...kinds, ...kinds.toReversed()]) {
        const { response, bytes } = await fetchKind(path, kind);
        expect([kind, commonHeadersOf(response)]).toEqual([kind, commonHeadersOf(firstResponse)]);
        const { status, encoding } = KINDS[kind];
        const head = response.headers;
        const contentHeaders = [head['content-type'], head['content-encoding'], head['content-length']];
        const expected =
          status === 304 ? [undefined, undefined, undefined] : ['text/html; charset=utf-8', encoding, `${bytes}`];
        expect([kind, response.statusCode, ...contentHeaders]).toEqual([kind, status, ...expected]);
        expect(bytes > 0).toBe(status === 200);
        expect([head.etag, head.vary, head['cache-control']]).toEqual([
          expect.stringMatching(/^W\/"[\w-]+"$/),
          'Accept, Accept-Encoding',
          'no-cache',
        ]);
      }
    },
  );

  it.each([
    [undefined, undefined],
    ['identity', undefined],
    ['gzip', 'gzip'],
    ['br', 'br'],
    ['gzip, deflate, br', 'br'],
    ['br;q=0, gzip', 'gzip'],
    ['br; q=0.000, gzip;q=1', 'gzip'],
    ['gzip; q=0', undefined],
  ])('a client that sends Accept-Encoding %j gets the encoding %j', async (accepted, encoding) => {
    const headers = accepted === undefined ? {} : { 'accept-encoding': accepted };
    const [response] = (await once(request(`${shop.origin}/tool`, { headers }).end(), 'response')) as [IncomingMessage];
    response.resume();
    expect(response.headers['content-encoding']).toBe(encoding);
  });

  it('a 304 is sent if any of several ETags is the current one, and a 200 if none is', async () => {
    const { headers } = await fetch(`${shop.origin}/tool`);
    const statusFor = async (etags: string) =>
      (await fetch(`${shop.origin}/tool`, { headers: { 'if-none-match': etags } })).status;
    expect([await statusFor(`W/"other", ${headers.get('etag')}`), await statusFor('W/"other"')]).toEqual([304, 200]);
  });
});

describe('Private files', () => {
  let shop: Awaited<ReturnType<typeof startShop>>;
  beforeAll(async () => {
    const checkpoint = () => Promise.reject(new Error('a secret of the server'));
    shop = await startShop({ checkpoint });
  });
  afterAll(() => shop.close());

  /** Sends the path unchanged. `fetch` would normalize it. */
  const statusOf = (path: string) =>
    new Promise<number | undefined>((resolve, reject) =>
      request({ host: '127.0.0.1', port: shop.deps.settings.port, path }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on('error', reject)
        .end(),
    );

  // Clause C.4.6
  test.each([
    ['/page.html', 404],
    ['/assets/manifest.json', 404],
    ['/assets/../manifest.json', 403],
    ['/assets/%2e%2e/manifest.json', 403],
    ['/assets/..%2fmanifest.json', 404],
    ['/images/../page.html', 403],
    ['/images/%2e%2e/page.html', 403],
    ['/../package.json', 404],
    ['/maps/main.js.map', 404],
    ['/.data/PG_VERSION', 404],
    ['/package.json', 404],
  ])('a private file is not served: %s', async (path, status) => {
    expect(await statusOf(path)).toBe(status);
  });

  // Clause C.4.6
  test('an internal error reveals no details', async () => {
    const { token } = await newCustomer(shop);
    const draft = { productName: 'Hammer', totalQuantity: 1, address: 'a', phone: '555 0100' };
    const { status, body, headers } = await callShop(shop.origin, '/order', { method: 'POST', token, body: draft });
    expect([status, headers.get('content-type')]).toEqual([500, 'application/problem+json']);
    expect(body).toEqual({
      type: '/problems/internal',
      title: expect.any(String),
      status: 500,
      code: 'internal',
      detail: 'Something went wrong on our side. Please try again.',
      instance: headers.get('x-request-id'),
    });
    expect(JSON.stringify([body, ...headers])).not.toContain('secret');
  });

  test.each(['/tool', '/order', '/user/ann@mail.example', '/create-payment-intent'])(
    'a page of another origin cannot read the response of %s',
    async (path) => {
      const origin = 'https://evil.example';
      const preflight = { origin, 'access-control-request-method': 'POST' };
      const { headers } = await fetch(shop.origin + path, { method: 'OPTIONS', headers: preflight });
      const response = await fetch(shop.origin + path, { headers: { origin, accept: 'application/json' } });
      const allowed = [...headers.keys(), ...response.headers.keys()].filter((name) =>
        name.startsWith('access-control'),
      );
      expect(allowed).toEqual([]);
    },
  );
});
