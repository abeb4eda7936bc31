import { join } from 'node:path';
import { SettingError } from '../../server/settings/readers';
import { readSettings } from '../../server/settings/settings';
import { listSettingWarnings } from '../../server/settings/settingWarnings';

const FIREBASE = {
  FIREBASE_API_KEY: 'k',
  FIREBASE_AUTH_DOMAIN: 'x.firebaseapp.com',
  FIREBASE_PROJECT_ID: 'x',
  FIREBASE_APP_ID: '1',
};
const STRIPE = { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_PUBLISHABLE_KEY: 'pk_test_1' };
const EXTERNAL_SERVICES = { ...FIREBASE, ...STRIPE, DATABASE_URL: 'postgres://shop@db/shop' };

// Clause C.10.1
test('without settings the shop runs the demo with embedded sign-in, sandbox payments and its own database', () => {
  expect(readSettings({})).toEqual({
    port: 3000,
    host: '127.0.0.1',
    publicUrl: 'http://localhost:3000',
    dataDir: join(__dirname, '../../.data'),
    databaseUrl: undefined,
    demo: true,
    exposed: false,
    adminEmails: [],
    accessTokenSecret: undefined,
    identity: { kind: 'embedded' },
    payments: { kind: 'sandbox' },
    holdHours: 2,
    shipWithinDays: 2,
    maxUnpaidOrders: 10,
    offerHours: 72,
    refundLate: true,
    mail: undefined,
    rateLimit: true,
    trustProxy: [],
    metricsToken: undefined,
    imgHosts: undefined,
    logLevel: 'info',
  });
});

test('all settings of a public shop are read, with spaces around them and in lists ignored', () => {
  const env = {
    ...FIREBASE,
    STRIPE_SECRET_KEY: ' rk_live_1 ',
    STRIPE_PUBLISHABLE_KEY: 'pk_live_1',
    STRIPE_WEBHOOK_SECRET: 'whsec_1',
    PORT: '0',
    HOST: '0.0.0.0',
    PUBLIC_URL: 'https://shop.example/',
    DATA_DIR: 'data',
    DATABASE_URL: 'postgres://shop@db/shop',
    DEMO: 'OFF',
    DEMO_EXPOSED: 'off',
    ADMIN_EMAILS: ' ann@shop.example ,, bob@shop.example,',
    ACCESS_TOKEN_SECRET: 's'.repeat(32),
    HOLD_HOURS: '720',
    SHIP_WITHIN_DAYS: '60',
    MAX_UNPAID_ORDERS: '10000',
    OFFER_HOURS: '1',
    REFUND_LATE: 'off',
    RATE_LIMIT: 'on',
    TRUST_PROXY: ' 10.0.0.1 ,10.0.0.0/32, ::1/128,,',
    METRICS_TOKEN: 'm'.repeat(16),
    IMG_HOSTS: 'pics.example',
    LOG_LEVEL: 'silent',
  };
  expect(readSettings(env)).toEqual({
    port: 0,
    host: '0.0.0.0',
    publicUrl: 'https://shop.example',
    dataDir: join(__dirname, '../../data'),
    databaseUrl: 'postgres://shop@db/shop',
    demo: false,
    exposed: false,
    adminEmails: ['ann@shop.example', 'bob@shop.example'],
    accessTokenSecret: 's'.repeat(32),
    identity: { kind: 'firebase', apiKey: 'k', authDomain: 'x.firebaseapp.com', projectId: 'x', appId: '1' },
    payments: {
      kind: 'stripe',
      secretKey: 'rk_live_1',
      publishableKey: 'pk_live_1',
      webhookSecret: 'whsec_1',
    },
    holdHours: 720,
    shipWithinDays: 60,
    maxUnpaidOrders: 10_000,
    offerHours: 1,
    refundLate: false,
    mail: undefined,
    rateLimit: true,
    trustProxy: ['10.0.0.1', '10.0.0.0/32', '::1/128'],
    metricsToken: 'm'.repeat(16),
    imgHosts: ['pics.example'],
    logLevel: 'silent',
  });
});

test.each([
  ['an external database', { DATABASE_URL: 'postgres://a@b/c' }],
  ['Firebase', FIREBASE],
  ['Stripe', STRIPE],
])('the demo is off by default with %s', (_service, env) => {
  expect(readSettings(env).demo).toBe(false);
});

test.each([
  ['PORT', { PORT: 'eighty' }],
  ['PORT', { PORT: '70000' }],
  ['PUBLIC_URL', { PUBLIC_URL: 'shop.example' }],
  ['PUBLIC_URL', { PUBLIC_URL: 'https://shop.example/store' }],
  ['DATABASE_URL', { DATABASE_URL: 'mysql://a@b/c' }],
  ['options', { DATABASE_URL: 'postgres://a@b/c?sslmode=require&options=-c%20synchronous_commit%3Doff' }],
  ['statement_timeout', { DATABASE_URL: 'postgres://a@b/c?statement_timeout=0' }],
  ['DEMO', { DEMO: 'yes' }],
  ['DEMO_EXPOSED', { DEMO_EXPOSED: '1' }],
  ['RATE_LIMIT', { RATE_LIMIT: 'none' }],
  ['HOLD_HOURS', { HOLD_HOURS: '0' }],
  ['SHIP_WITHIN_DAYS', { SHIP_WITHIN_DAYS: '0' }],
  ['HOLD_HOURS', { HOLD_HOURS: '1.5' }],
  ['MAX_UNPAID_ORDERS', { MAX_UNPAID_ORDERS: '-1' }],
  ['OFFER_HOURS', { OFFER_HOURS: '0' }],
  ['OFFER_HOURS', { OFFER_HOURS: '721' }],
  ['REFUND_LATE', { REFUND_LATE: 'no' }],
  ['LOG_LEVEL', { LOG_LEVEL: 'loud' }],
  ['TRUST_PROXY', { TRUST_PROXY: '10.0.0.0/40' }],
  ['TRUST_PROXY', { TRUST_PROXY: 'everyone' }],
  ['IMG_HOSTS', { IMG_HOSTS: 'https://pics.example' }],
  ['IMG_HOSTS', { IMG_HOSTS: 'pics.example:8443' }],
  ['IMG_HOSTS', { IMG_HOSTS: 'pics.example/a' }],
  ['IMG_HOSTS', { IMG_HOSTS: '*.example' }],
  ['IMG_HOSTS', { IMG_HOSTS: 'pics.example,' }],
  ['IMG_HOSTS', { IMG_HOSTS: "pics.example 'unsafe-inline'" }],
  ['IMG_HOSTS', { IMG_HOSTS: 'pics.example; script-src *' }],
  ['IMG_HOSTS', { IMG_HOSTS: '-a.example' }],
  ['IMG_HOSTS', { IMG_HOSTS: '10.0.0.1' }],
  ['ADMIN_EMAILS', { ADMIN_EMAILS: 'the boss' }],
  ['ACCESS_TOKEN_SECRET', { ACCESS_TOKEN_SECRET: 'short' }],
  ['FIREBASE_APP_ID', { ...FIREBASE, FIREBASE_APP_ID: '' }],
  ['FIREBASE_API_KEY, FIREBASE_AUTH_DOMAIN', { FIREBASE_PROJECT_ID: 'x', FIREBASE_APP_ID: '1' }],
  ['FIREBASE_PROJECT_ID', { FIREBASE_AUTH_EMULATOR_HOST: '127.0.0.1:9099' }],
  ['FIREBASE_API_KEY', { FIREBASE_AUTH_EMULATOR_HOST: '127.0.0.1:9099', ...FIREBASE }],
  ['FIREBASE_AUTH_EMULATOR_HOST', { FIREBASE_AUTH_EMULATOR_HOST: 'no port', FIREBASE_PROJECT_ID: 'x' }],
  ['FIREBASE_AUTH_EMULATOR_HOST', { FIREBASE_AUTH_EMULATOR_HOST: 'h:99999', FIREBASE_PROJECT_ID: 'x' }],
  ['STRIPE_PUBLISHABLE_KEY', { STRIPE_SECRET_KEY: 'sk_test_1' }],
  ['STRIPE_SECRET_KEY', { STRIPE_SECRET_KEY: 'pk_test_1', STRIPE_PUBLISHABLE_KEY: 'pk_test_1' }],
  ['pk_live_', { STRIPE_SECRET_KEY: 'sk_live_1', STRIPE_PUBLISHABLE_KEY: 'pk_test_1' }],
  ['STRIPE_SECRET_KEY', { STRIPE_WEBHOOK_SECRET: 'whsec_1' }],
  ['whsec_', { ...STRIPE, STRIPE_WEBHOOK_SECRET: 'secret' }],
  ['the demo', { HOST: '0.0.0.0' }],
  ['the embedded identity', { ...STRIPE, DEMO: 'off', PUBLIC_URL: 'https://shop.example' }],
  ['sandbox payments', { ...FIREBASE, DEMO: 'off', PUBLIC_URL: 'https://shop.example' }],
  [
    'the Auth emulator',
    { ...STRIPE, FIREBASE_AUTH_EMULATOR_HOST: '127.0.0.1:9099', FIREBASE_PROJECT_ID: 'x', HOST: '0.0.0.0' },
  ],
  ['RATE_LIMIT', { ...EXTERNAL_SERVICES, RATE_LIMIT: 'off', PUBLIC_URL: 'https://shop.example' }],
  ["DEMO can't be used together with Stripe", { ...STRIPE, DEMO: 'on' }],
  ["DEMO can't be used together with Firebase", { ...FIREBASE, DEMO: 'on' }],
  ["DEMO can't be used together with Firebase and Stripe", { ...EXTERNAL_SERVICES, DEMO: 'on', DEMO_EXPOSED: 'on' }],
  ['DEMO', { ...STRIPE, FIREBASE_AUTH_EMULATOR_HOST: '127.0.0.1:9099', FIREBASE_PROJECT_ID: 'x', DEMO: 'on' }],
  ['PUBLIC_URL must begin with https://', { ...EXTERNAL_SERVICES, PUBLIC_URL: 'http://shop.example' }],
  ['PUBLIC_URL must begin with https://', { PUBLIC_URL: 'http://192.168.1.7:3000', DEMO_EXPOSED: 'on' }],
  ['METRICS_TOKEN', { METRICS_TOKEN: 'fifteen letters' }],
])('an invalid setting is reported in one sentence that contains %s', (text, env) => {
  const read = () => readSettings(env);
  expect(read).toThrow(SettingError);
  expect(read).toThrow(text);
  try {
    read();
  } catch (error) {
    expect((error as Error).message).toMatch(/^[^\n]+\.$/);
  }
});

test('IMG_HOSTS is read as a list of normalized host names, or as undefined if it is unset or blank', () => {
  expect(readSettings({ IMG_HOSTS: ' Pics.Example, bücher.example ,cdn' }).imgHosts).toEqual([
    'pics.example',
    'xn--bcher-kva.example',
    'cdn',
  ]);
  expect([readSettings({}).imgHosts, readSettings({ IMG_HOSTS: ' ' }).imgHosts]).toEqual([undefined, undefined]);
});

test('DEMO_EXPOSED=on lets the demo listen on an IP address that others can reach', () => {
  expect(readSettings({ HOST: '0.0.0.0', DEMO_EXPOSED: 'on' })).toMatchObject({ exposed: true, host: '0.0.0.0' });
});

test('DEMO=on is allowed with the Auth emulator and sandbox payments', () => {
  const env = { FIREBASE_AUTH_EMULATOR_HOST: '127.0.0.1:9099', FIREBASE_PROJECT_ID: 'x', DEMO: 'on' };
  expect(readSettings(env).demo).toBe(true);
});

test('a METRICS_TOKEN that is too short is refused without printing it', () => {
  expect(() => readSettings({ METRICS_TOKEN: 'my-secret' })).toThrow(
    /^METRICS_TOKEN must have at least 16 \w+, not 9\.$/,
  );
});

const warningsOf = (env: Record<string, string>) => listSettingWarnings(readSettings(env));
const PUBLIC_SHOP = { ...EXTERNAL_SERVICES, PUBLIC_URL: 'https://shop.example' };
const LIVE = { STRIPE_SECRET_KEY: 'sk_live_1', STRIPE_PUBLISHABLE_KEY: 'pk_live_1' };
const TLS = '?sslmode=verify-full';

test('Stripe’s test keys cause a warning on a public origin, but not on loopback', () => {
  const warningsWith = (changes: object) =>
    warningsOf({ ...PUBLIC_SHOP, DATABASE_URL: `postgres://a@b/c${TLS}`, ...changes });
  expect(warningsWith({})).toEqual([
    expect.stringMatching(/^STRIPE_SECRET_KEY is a test key, .*https:\/\/shop\.example/),
  ]);
  expect(warningsWith({ STRIPE_SECRET_KEY: 'rk_test_1' })).toHaveLength(1);
  expect(warningsWith(LIVE)).toEqual([]);
  expect(warningsWith({ PUBLIC_URL: 'http://localhost:3000' })).toEqual([]);
});

test.each([
  'postgres://shop:pa55@db.example/shop',
  'postgresql://shop:pa55@db.example:5432/shop?sslmode=disable',
  'postgres://shop:pa55@db.example/shop?sslmode=allow',
  'postgres://shop:pa55@db.example/shop?sslmode=prefer',
  'postgres://shop:pa55@db.example/shop?sslmode=require&sslmode=disable',
  'postgres://shop:pa55@db.example/shop?ssl=true&sslmode=disable',
  'postgres://shop:pa55@localhost/shop?host=db.example',
  'postgres://localhost:pa55@db.example/shop',
])('DATABASE_URL=%s causes a warning that contains the host but not the password', (url) => {
  const [warning, ...more] = warningsOf({ DATABASE_URL: url });
  expect(more).toEqual([]);
  expect(warning).toMatch(/^DATABASE_URL connects to db\.example without TLS/);
  expect(warning).not.toContain('pa55');
});

test.each([
  `postgres://shop@db.example/shop${TLS}`,
  'postgres://shop@db.example/shop?sslmode=require',
  'postgres://shop@db.example/shop?ssl=true',
  'postgres://shop@localhost/shop',
  'postgres://shop@127.0.0.1:5432/shop?sslmode=disable',
  'postgres://shop@[::1]:5432/shop',
  'postgres://shop@/shop?host=/run/postgresql',
  'postgres://shop@%2Frun%2Fpostgresql/shop',
  'postgres:///shop',
])('DATABASE_URL=%s causes no warning', (url) => {
  expect(warningsOf({ DATABASE_URL: url })).toEqual([]);
});

// Clause C.10.6
test('a shop with Firebase, Stripe and its own database may have a public origin', () => {
  expect(readSettings({ ...EXTERNAL_SERVICES, HOST: '0.0.0.0', PUBLIC_URL: 'https://shop.example' }).demo).toBe(false);
});
