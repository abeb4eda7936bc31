import { once } from 'node:events';
import { connect } from 'node:net';
import { FIREBASE_ENV } from '../../support/googleTokens';
import { startShop } from '../../support/shop';

type Shop = Awaited<ReturnType<typeof startShop>>;
const STRIPE = { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_PUBLISHABLE_KEY: 'pk_test_1' };

interface RawResponse {
  status: number;
  head: string;
  body: string;
}

/** Sends exactly these lines, which an HTTP client would normalize or refuse. */
async function send(shop: Shop, lines: string[], body = ''): Promise<RawResponse> {
  const socket = connect(shop.deps.settings.port, '127.0.0.1');
  socket.write([...lines, 'connection: close', '', body].join('\r\n'));
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  await once(socket, 'close');
  const [head = '', ...rest] = Buffer.concat(chunks).toString('latin1').split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), head, body: rest.join('\r\n\r\n') };
}

const get = (shop: Shop, host: string, ...headers: string[]) =>
  send(shop, ['GET /tool HTTP/1.1', `host: ${host}`, ...headers]);

const problemIn = ({ body }: RawResponse) =>
  JSON.parse(body.slice(body.indexOf('{'), body.lastIndexOf('}') + 1)) as Record<string, unknown>;

let shop: Shop;
const routes = new Set<string>();
beforeAll(async () => {
  shop = await startShop({
    env: { DEMO: 'on' },
    onRoute: ({ method, url }) => [method].flat().forEach((name) => routes.add(`${name} ${url}`)),
  });
});
afterAll(() => shop.close());

describe('A demo that only this machine may reach answers 421', () => {
  it.each([
    'shop.example',
    '127.0.0.1.nip.io',
    'localhost.evil.example',
    '[::1]evil',
    '[::2]',
    'localhost@evil',
    'localhost, evil.example',
    'xlocalhost',
    '0.0.0.0',
    '10.0.0.1',
    '',
  ])('to a request with the Host header %j', async (host) => {
    expect((await get(shop, host)).status).toBe(421);
  });

  it.each([
    'x-forwarded-for: 127.0.0.1',
    'X-Forwarded-Host: localhost',
    'forwarded: for=127.0.0.1',
    'Via: 1.1 proxy',
    'X-Real-IP: 127.0.0.1',
  ])('to a request with %j', async (header) => {
    expect((await get(shop, 'localhost', header)).status).toBe(421);
    expect((await send(shop, ['GET /tool HTTP/1.1', header, 'host: localhost'])).status).toBe(421);
  });

  it('to a request with several Host headers, in any order', async () => {
    expect((await get(shop, 'localhost', 'Host: evil.example')).status).toBe(421);
    expect((await get(shop, 'evil.example', 'host: localhost')).status).toBe(421);
    expect((await get(shop, 'localhost', 'HOST: localhost')).status).toBe(421);
  });

  it('to a request line whose target is not a path, because an absolute URL overrides the Host header', async () => {
    for (const target of ['http://evil.example/tool', 'http://localhost/tool', 'https://evil.example', '*'])
      expect([target, (await send(shop, [`GET ${target} HTTP/1.1`, 'host: localhost'])).status]).toEqual([target, 421]);
  });

  it('with problem+json that names the setting, and with the usual security headers', async () => {
    const response = await get(shop, 'evil.example', 'accept: text/html');
    expect(problemIn(response)).toMatchObject({ status: 421, code: 'local_only', title: 'Local access only' });
    expect(problemIn(response)['detail']).toBe(
      'This shop is a demo or in test mode, so it answers only requests from its own machine. ' +
        'Set DEMO_EXPOSED=on if only you can reach it.',
    );
    expect(response.head).toMatch(/content-type: application\/problem\+json/i);
    for (const name of ['x-content-type-options', 'referrer-policy', 'content-security-policy', 'x-request-id'])
      expect(response.head.toLowerCase()).toContain(`${name}: `);
    expect(response.body).not.toContain('forgeline-demo');
  });

  it('on every route, page and file, and on unknown paths', async () => {
    const paths = [...routes].map((route) => route.replace('::', ':').replace(':id', 'x').replace(':email', 'a@b.c'));
    expect(paths).toEqual(expect.arrayContaining(['POST /webhooks/stripe', 'GET /metrics', 'GET /v1/*', 'GET /docs']));
    const otherPaths = [
      '/',
      '/login',
      '/dashboard',
      '/nowhere',
      '/assets/none.js',
      '/images/placeholder.svg',
      '//evil',
    ];
    for (const route of [...paths, ...otherPaths.map((path) => `GET ${path}`), 'OPTIONS /tool', 'PROPFIND /tool']) {
      const { status, body } = await send(shop, [`${route} HTTP/1.1`, 'host: evil.example', 'accept: text/html']);
      expect([route, status, body.includes('local_only') || route.startsWith('HEAD')]).toEqual([route, 421, true]);
    }
  });
});

describe('A demo that only this machine may reach answers 200', () => {
  it.each(['localhost', 'LOCALHOST:3000', '127.0.0.1:3000', '127.1.2.3', '[::1]:3000', '[::1]', 'localhost.'])(
    'to a request with the Host header %j',
    async (host) => {
      expect((await get(shop, host)).status).toBe(200);
    },
  );

  it.each(['x-not-via: 1', 'viable: 1', 'forwarded-by: 1', 'x-real-ips: 1', 'h: 1', 'hosts: evil.example'])(
    'to a request with the header %j, which no proxy adds',
    async (header) => {
      expect((await get(shop, 'localhost', header)).status).toBe(200);
    },
  );
});

describe('A request from another machine to a shop with', () => {
  const statusOf = async (env: Record<string, string>) => {
    const remoteShop = await startShop({ env });
    try {
      return (await get(remoteShop, 'shop.example', 'x-forwarded-for: 203.0.113.9')).status;
    } finally {
      await remoteShop.close();
    }
  };

  it.each([
    ['the embedded identity service', STRIPE],
    ['sandbox payments', FIREBASE_ENV],
    ['the Auth emulator', { ...STRIPE, FIREBASE_AUTH_EMULATOR_HOST: '127.0.0.1:1', FIREBASE_PROJECT_ID: 'x' }],
  ])('%s gets a 421', async (_service, env) => {
    expect(await statusOf(env)).toBe(421);
  });

  it('DEMO_EXPOSED=on gets a 200', async () => {
    expect(await statusOf({ DEMO: 'on', DEMO_EXPOSED: 'on' })).toBe(200);
  });

  it('both Firebase and Stripe gets a 200', async () => {
    expect(await statusOf({ ...FIREBASE_ENV, ...STRIPE })).toBe(200);
  });
});
