import { readFileSync } from 'node:fs';
import { request as plain } from 'node:http';
import { request as secure } from 'node:https';
import { join } from 'node:path';
import { connect as connectTls, type SecureVersion } from 'node:tls';
import { DATA_POLICY, securityHeaders } from '../../../server/http/securityHeaders';
import { readSettings } from '../../../server/settings';
import { FIREBASE_ENV } from '../../support/googleTokens';
import { hasNginx, startNginx } from './nginx';
import { freePort, startServer, type RunningServer } from '../../support/server';
import { freshDatabase, type TestDatabase } from '../../support/database';

const STRIPE = { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_PUBLISHABLE_KEY: 'pk_test_1' };
const ENV = { ...FIREBASE_ENV, ...STRIPE, PUBLIC_URL: 'https://shop.example', TRUST_PROXY: '127.0.0.1/32' };
const always = securityHeaders(readSettings(ENV));
const OWN: Record<string, string> = {
  'x-content-type-options': always['x-content-type-options']!,
  'referrer-policy': always['referrer-policy']!,
  'content-security-policy': DATA_POLICY,
  'cross-origin-resource-policy': always['cross-origin-resource-policy']!,
};
const OVER_TLS = {
  ...OWN,
  'strict-transport-security': always['strict-transport-security']!,
  'cache-control': 'no-store',
};

test('nginx.conf names the values that the shop itself sends', () => {
  const conf = readFileSync(join(__dirname, '../../../deploy/nginx.conf'), 'utf8');
  for (const value of Object.values(OVER_TLS)) expect(conf).toContain(`"" "${value}";`);
  for (const [name, value] of Object.entries(OWN))
    expect(conf).toMatch(new RegExp(`add_header ${name} "${value.replaceAll(/[().;]/g, '\\$&')}" always;`, 'i'));
});

if (!hasNginx) process.stderr.write('nginx or openssl is not installed: its responses are not tested.\n');

(hasNginx ? describe : describe.skip)('Through nginx', () => {
  let database: TestDatabase;
  let shop: RunningServer;
  let nginx: Awaited<ReturnType<typeof startNginx>>;
  beforeAll(async () => {
    database = await freshDatabase();
    const port = await freePort();
    shop = await startServer({ ...ENV, DATABASE_URL: database.url, PORT: String(port) });
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
    /** Each header of the list with all of its values. */
    own: Record<string, string[]>;
  }

  function ask(path: string, { tls = true, body }: { tls?: boolean; body?: string } = {}): Promise<Response> {
    const how = { host: '127.0.0.1', port: tls ? nginx.https : nginx.http, path, rejectUnauthorized: false };
    const options = { ...how, method: body ? 'POST' : 'GET', headers: { host: 'shop.example' } };
    return new Promise((resolve, reject) => {
      const sent = (tls ? secure : plain)(options, (answer) => {
        answer.resume();
        const { statusCode: status, headers, headersDistinct } = answer;
        const server = String(headers['server']);
        const named = Object.keys(OVER_TLS).filter((name) => name in headersDistinct);
        const own = Object.fromEntries(named.map((name) => [name, headersDistinct[name] ?? []]));
        resolve({ status, location: headers.location, server, own });
      });
      sent.on('error', reject);
      sent.end(body);
    });
  }
  const once = (headers: Record<string, string>) =>
    Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));

  it('a page and a call of the shop have each header once, with the shop’s values', async () => {
    const [page, call] = [await ask('/login'), await ask('/order')];
    expect(call).toMatchObject({ status: 401, own: once(OVER_TLS) });
    expect(page.status).toBe(200);
    for (const values of Object.values(page.own)) expect(values).toHaveLength(1);
    expect(page.own['content-security-policy']![0]).toContain("script-src 'self'");
    expect(Object.keys(page.own).sort()).toEqual(Object.keys(OVER_TLS).sort());
  });

  it('what nginx answers itself has the headers too: 404, 413', async () => {
    expect(await ask('/metrics')).toMatchObject({ status: 404, own: once(OVER_TLS), server: 'nginx' });
    const tooLarge = await ask('/review', { body: 'x'.repeat(400_000) });
    expect(tooLarge).toMatchObject({ status: 413, own: once(OVER_TLS) });
  });

  it('plain HTTP is redirected by 308, with the headers that count there', async () => {
    const { status, location, own } = await ask('/login?x=1', { tls: false });
    expect([status, location]).toEqual([308, 'https://shop.example/login?x=1']);
    expect(own).toEqual(once(OWN));
  });

  it('TLS 1.2 takes ephemeral keys with authenticated encryption alone', async () => {
    const connects = (ciphers: string, maxVersion: SecureVersion = 'TLSv1.2') =>
      new Promise<boolean>((resolve) => {
        const how = { host: '127.0.0.1', port: nginx.https, rejectUnauthorized: false, ciphers, maxVersion };
        const socket = connectTls({ ...how, minVersion: 'TLSv1' }, () => (socket.destroy(), resolve(true)));
        socket.on('error', () => resolve(false));
      });
    expect(await connects('ECDHE-ECDSA-AES128-GCM-SHA256')).toBe(true);
    expect(await connects('ECDHE-ECDSA-AES128-SHA:ECDHE-ECDSA-AES256-SHA384')).toBe(false);
    expect(await connects('DEFAULT@SECLEVEL=0', 'TLSv1.1')).toBe(false);
  });

  it('while the shop is down, 502 has them as well', async () => {
    await shop.stop();
    expect(await ask('/tool')).toMatchObject({ status: 502, own: once(OVER_TLS) });
  });
});
