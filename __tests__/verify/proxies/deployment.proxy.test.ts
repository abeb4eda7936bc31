import { readFileSync } from 'node:fs';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { join } from 'node:path';
import { connect as connectTls, type SecureVersion } from 'node:tls';
import { DATA_CSP, buildSecurityHeaders } from '../../../server/http/securityHeaders';
import { readSettings } from '../../../server/settings/settings';
import { FIREBASE_ENV } from '../../support/googleTokens';
import { hasNginx, startNginx } from './nginx';
import { freePort, startServer, type RunningServer } from '../../support/server';
import { createTestDatabase, type TestDatabase } from '../../support/database';

const STRIPE = { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_PUBLISHABLE_KEY: 'pk_test_1' };
const ENV = { ...FIREBASE_ENV, ...STRIPE, PUBLIC_URL: 'https://shop.example', TRUST_PROXY: '127.0.0.1/32' };
const shopHeaders = buildSecurityHeaders(readSettings(ENV));
const HTTP_HEADERS: Record<string, string> = {
  'x-content-type-options': shopHeaders['x-content-type-options']!,
  'referrer-policy': shopHeaders['referrer-policy']!,
  'content-security-policy': DATA_CSP,
  'cross-origin-resource-policy': shopHeaders['cross-origin-resource-policy']!,
};
const HTTPS_HEADERS = {
  ...HTTP_HEADERS,
  'strict-transport-security': shopHeaders['strict-transport-security']!,
  'cache-control': 'no-store',
};

test('nginx.conf has the same header values as the shop', () => {
  const conf = readFileSync(join(__dirname, '../../../deploy/nginx.conf'), 'utf8');
  for (const value of Object.values(HTTPS_HEADERS)) expect(conf).toContain(`"" "${value}";`);
  for (const [name, value] of Object.entries(HTTP_HEADERS))
    expect(conf).toMatch(new RegExp(`add_header ${name} "${value.replaceAll(/[().;]/g, '\\$&')}" always;`, 'i'));
});

if (!hasNginx) process.stderr.write('nginx or openssl is not installed. The tests of nginx are skipped.\n');

(hasNginx ? describe : describe.skip)('Through nginx', () => {
  let database: TestDatabase;
  let shop: RunningServer;
  let nginx: Awaited<ReturnType<typeof startNginx>>;
  beforeAll(async () => {
    database = await createTestDatabase();
    const port = await freePort();
    shop = await startServer({ ...ENV, ...database.env, PORT: String(port) });
    nginx = await startNginx(port);
  });
  afterAll(async () => {
    await nginx.stop();
    await shop.stop();
    await database.drop();
  });

  interface Response {
    status: number | undefined;
    location: string | undefined;
    server: string;
    /** The values of each header of `HTTPS_HEADERS`. */
    headersSent: Record<string, string[]>;
  }

  function send(path: string, { tls = true, body }: { tls?: boolean; body?: string } = {}): Promise<Response> {
    const target = { host: '127.0.0.1', port: tls ? nginx.https : nginx.http, path, rejectUnauthorized: false };
    const options = { ...target, method: body ? 'POST' : 'GET', headers: { host: 'shop.example' } };
    return new Promise((resolve, reject) => {
      const clientRequest = (tls ? requestHttps : requestHttp)(options, (response) => {
        response.resume();
        const { statusCode: status, headers, headersDistinct } = response;
        const server = String(headers['server']);
        const named = Object.keys(HTTPS_HEADERS).filter((name) => name in headersDistinct);
        const headersSent = Object.fromEntries(named.map((name) => [name, headersDistinct[name] ?? []]));
        resolve({ status, location: headers.location, server, headersSent });
      });
      clientRequest.on('error', reject);
      clientRequest.end(body);
    });
  }
  const asSingleValues = (headers: Record<string, string>) =>
    Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));

  it("pages and API responses have each security header once, with the shop's value", async () => {
    const [page, call] = [await send('/login'), await send('/order')];
    expect(call).toMatchObject({ status: 401, headersSent: asSingleValues(HTTPS_HEADERS) });
    expect(page.status).toBe(200);
    for (const values of Object.values(page.headersSent)) expect(values).toHaveLength(1);
    expect(page.headersSent['content-security-policy']![0]).toContain("script-src 'self'");
    expect(Object.keys(page.headersSent).sort()).toEqual(Object.keys(HTTPS_HEADERS).sort());
  });

  it("a 404 and a 413 that nginx itself sends have the same security headers as the shop's responses", async () => {
    expect(await send('/metrics')).toMatchObject({
      status: 404,
      headersSent: asSingleValues(HTTPS_HEADERS),
      server: 'nginx',
    });
    const tooLarge = await send('/review', { body: 'x'.repeat(400_000) });
    expect(tooLarge).toMatchObject({ status: 413, headersSent: asSingleValues(HTTPS_HEADERS) });
  });

  it('a plain HTTP request is redirected with status 308 and gets the security headers for HTTP', async () => {
    const { status, location, headersSent } = await send('/login?x=1', { tls: false });
    expect([status, location]).toEqual([308, 'https://shop.example/login?x=1']);
    expect(headersSent).toEqual(asSingleValues(HTTP_HEADERS));
  });

  it('TLS 1.2 refuses ciphers without authenticated encryption, and TLS 1.1 is refused', async () => {
    const connects = (ciphers: string, maxVersion: SecureVersion = 'TLSv1.2') =>
      new Promise<boolean>((resolve) => {
        const options = { host: '127.0.0.1', port: nginx.https, rejectUnauthorized: false, ciphers, maxVersion };
        const socket = connectTls({ ...options, minVersion: 'TLSv1' }, () => (socket.destroy(), resolve(true)));
        socket.on('error', () => resolve(false));
      });
    expect(await connects('ECDHE-ECDSA-AES128-GCM-SHA256')).toBe(true);
    expect(await connects('ECDHE-ECDSA-AES128-SHA:ECDHE-ECDSA-AES256-SHA384')).toBe(false);
    expect(await connects('DEFAULT@SECLEVEL=0', 'TLSv1.1')).toBe(false);
  });

  it("the 502 that nginx sends while the shop is down has the same security headers as the shop's responses", async () => {
    await shop.stop();
    expect(await send('/tool')).toMatchObject({ status: 502, headersSent: asSingleValues(HTTPS_HEADERS) });
  });
});
