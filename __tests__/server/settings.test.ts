import { readSettings, SettingError } from '../../server/settings';

const FIREBASE = {
  FIREBASE_API_KEY: 'k',
  FIREBASE_AUTH_DOMAIN: 'x.firebaseapp.com',
  FIREBASE_PROJECT_ID: 'x',
  FIREBASE_APP_ID: '1',
};
const STRIPE = { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_PUBLISHABLE_KEY: 'pk_test_1' };
const REAL = { ...FIREBASE, ...STRIPE, DATABASE_URL: 'postgres://shop@db/shop' };

test('with no settings the shop is whole: embedded identity, sandbox payments, its own database, the demo', () => {
  expect(readSettings({})).toMatchObject({
    port: 3000,
    host: '127.0.0.1',
    publicUrl: 'http://localhost:3000',
    databaseUrl: undefined,
    demo: true,
    identity: { kind: 'embedded' },
    payments: { kind: 'sandbox' },
    holdHours: 2,
    maxUnpaidOrders: 10,
    rateLimit: true,
    logLevel: 'info',
  });
});

test.each([
  ['a database of one’s own', { DATABASE_URL: 'postgres://a@b/c' }],
  ['Firebase', FIREBASE],
  ['Stripe', STRIPE],
])('the demo is off by itself with %s', (_what, env) => {
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
  ['HOLD_HOURS', { HOLD_HOURS: '1.5' }],
  ['MAX_UNPAID_ORDERS', { MAX_UNPAID_ORDERS: '-1' }],
  ['LOG_LEVEL', { LOG_LEVEL: 'loud' }],
  ['TRUST_PROXY', { TRUST_PROXY: '10.0.0.0/40' }],
  ['TRUST_PROXY', { TRUST_PROXY: 'everyone' }],
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
  ['RATE_LIMIT', { ...REAL, RATE_LIMIT: 'off', PUBLIC_URL: 'https://shop.example' }],
])('a wrong setting is one sentence that names %s', (named, env) => {
  const refused = () => readSettings(env);
  expect(refused).toThrow(SettingError);
  expect(refused).toThrow(named);
  try {
    refused();
  } catch (error) {
    expect((error as Error).message).toMatch(/^[^\n]+\.$/);
  }
});

test('DEMO_EXPOSED=on lets the demo serve an address that others can reach', () => {
  expect(readSettings({ HOST: '0.0.0.0', DEMO_EXPOSED: 'on' })).toMatchObject({ exposed: true, host: '0.0.0.0' });
});

test('Firebase, Stripe and a database of one’s own may serve the world', () => {
  expect(readSettings({ ...REAL, HOST: '0.0.0.0', PUBLIC_URL: 'https://shop.example' }).demo).toBe(false);
});
