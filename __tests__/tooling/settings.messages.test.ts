import { join } from 'node:path';
import { SettingError } from '../../server/settings/readers';
import { readSettings } from '../../server/settings/settings';
import { listSettingWarnings } from '../../server/settings/settingWarnings';

const ROOT = join(__dirname, '../..');
const FIREBASE = {
  FIREBASE_API_KEY: 'k',
  FIREBASE_AUTH_DOMAIN: 'x.firebaseapp.com',
  FIREBASE_PROJECT_ID: 'x',
  FIREBASE_APP_ID: '1',
};
const STRIPE = { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_PUBLISHABLE_KEY: 'pk_test_1' };
const EMULATOR = { FIREBASE_AUTH_EMULATOR_HOST: '127.0.0.1:9099', FIREBASE_PROJECT_ID: 'x' };
const DATABASE_URL = 'postgres://shop@db/shop';
const PUBLIC_URL = 'https://shop.example';

test('all settings of a public shop are read, with spaces around them and in lists ignored', () => {
  const env = {
    ...FIREBASE,
    STRIPE_SECRET_KEY: ' rk_live_1 ',
    STRIPE_PUBLISHABLE_KEY: 'pk_live_1',
    STRIPE_WEBHOOK_SECRET: 'whsec_1',
    PORT: '0',
    HOST: '0.0.0.0',
    PUBLIC_URL: `${PUBLIC_URL}/`,
    DATA_DIR: 'data',
    DATABASE_URL,
    DEMO: 'OFF',
    DEMO_EXPOSED: 'off',
    ADMIN_EMAILS: ' ann@shop.example ,, bob@shop.example,',
    ACCESS_TOKEN_SECRET: 's'.repeat(32),
    HOLD_HOURS: '720',
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
    publicUrl: PUBLIC_URL,
    dataDir: join(ROOT, 'data'),
    databaseUrl: DATABASE_URL,
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

const ORIGIN = (text: string) => `PUBLIC_URL must be an origin like https://shop.example, not "${text}".`;
const SECRET_KEY = 'STRIPE_SECRET_KEY must begin with sk_test_, sk_live_, rk_test_ or rk_live_.';
const PROXIES = (text: string) => `TRUST_PROXY must be a comma-separated list of IP addresses or CIDRs, not "${text}".`;
const EMAILS = (text: string) => `ADMIN_EMAILS must be a comma-separated list of emails, not "${text}".`;
const HOSTS = (text: string) => `IMG_HOSTS must be a comma-separated list of host names, not "${text}".`;
const EMULATOR_HOST = (text: string) => `FIREBASE_AUTH_EMULATOR_HOST must be host:port, not "${text}".`;
const WEBHOOK = 'STRIPE_WEBHOOK_SECRET is set, so STRIPE_SECRET_KEY and STRIPE_PUBLISHABLE_KEY must be set too.';
const REMEDY = 'configure Firebase, Stripe and DEMO=off, or set DEMO_EXPOSED=on if only you can reach this server.';
const RATE_LIMIT = (setting: string) =>
  `RATE_LIMIT can't be off while ${setting} is set. Turn it off only on a server that nobody else can reach.`;
const RESERVED = (name: string) => `DATABASE_URL must not set ${name}. Remove it: Forgeline sets it itself.`;
const LONG_LABEL = 'a'.repeat(64);
const LONG_NAME = `${'a.'.repeat(127)}a`;

test.each<[message: string, env: Record<string, string>]>([
  [ORIGIN('shop.example'), { PUBLIC_URL: 'shop.example' }],
  [ORIGIN('ftp://localhost'), { PUBLIC_URL: 'ftp://localhost' }],
  [ORIGIN('http://localhost/a'), { PUBLIC_URL: 'http://localhost/a' }],
  [ORIGIN('http://localhost?a'), { PUBLIC_URL: 'http://localhost?a' }],
  [ORIGIN('http://localhost#a'), { PUBLIC_URL: 'http://localhost#a' }],
  [ORIGIN('http://a@localhost'), { PUBLIC_URL: 'http://a@localhost' }],
  ['DATABASE_URL must begin with postgres:// or postgresql://.', { DATABASE_URL: 'mysql://a@b/c' }],
  ['DATABASE_URL must begin with postgres:// or postgresql://.', { DATABASE_URL: 'xpostgres://a@b/c' }],
  ['DATABASE_URL must begin with postgres:// or postgresql://.', { DATABASE_URL: 'postgres://' }],
  ...['options', 'statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'query_timeout'].map(
    (name): [string, Record<string, string>] => [RESERVED(name), { DATABASE_URL: `${DATABASE_URL}?a=b&${name}=1` }],
  ),
  ...['a b', 'a/b', 'https://x.example', 'x.example:1'].map((domain): [string, Record<string, string>] => [
    `FIREBASE_AUTH_DOMAIN must be a host name, not "${domain}".`,
    { ...FIREBASE, FIREBASE_AUTH_DOMAIN: domain },
  ]),
  [
    'FIREBASE_AUTH_EMULATOR_HOST is set, so FIREBASE_PROJECT_ID must be set too.',
    { ...EMULATOR, FIREBASE_PROJECT_ID: '' },
  ],
  [
    'FIREBASE_AUTH_EMULATOR_HOST is set, so FIREBASE_API_KEY, FIREBASE_AUTH_DOMAIN, FIREBASE_APP_ID must not be set.',
    { ...EMULATOR, ...FIREBASE },
  ],
  ...['9099', 'h', 'h:', 'h:0', 'h:65536', 'h:100000', 'a/h:9099', 'h:9099/a'].map(
    (host): [string, Record<string, string>] => [
      EMULATOR_HOST(host),
      { ...EMULATOR, FIREBASE_AUTH_EMULATOR_HOST: host },
    ],
  ),
  [WEBHOOK, { STRIPE_WEBHOOK_SECRET: 'whsec_1' }],
  ...['pk_test_1', 'sk_test_', 'xsk_test_1', 'sk_other_1'].map((key): [string, Record<string, string>] => [
    SECRET_KEY,
    { ...STRIPE, STRIPE_SECRET_KEY: key },
  ]),
  [
    'STRIPE_PUBLISHABLE_KEY must begin with pk_live_, to match the mode of STRIPE_SECRET_KEY.',
    { ...STRIPE, STRIPE_SECRET_KEY: 'sk_live_1' },
  ],
  [
    'STRIPE_PUBLISHABLE_KEY must begin with pk_test_, to match the mode of STRIPE_SECRET_KEY.',
    { ...STRIPE, STRIPE_PUBLISHABLE_KEY: 'xpk_test_' },
  ],
  ['STRIPE_WEBHOOK_SECRET must begin with whsec_.', { ...STRIPE, STRIPE_WEBHOOK_SECRET: 'secret_whsec_' }],
  ...['everyone', '10.0.0.0/33', '::1/129', '10.0.0.0/', '10.0.0.0/1x', '10.0.0.0/x1', '/8'].map(
    (range): [string, Record<string, string>] => [PROXIES(range), { TRUST_PROXY: `127.0.0.1, ${range}` }],
  ),
  ...['the boss', 'ann', '@shop', 'ann@', 'ann@a@b', 'ann@a b'].map((email): [string, Record<string, string>] => [
    EMAILS(email),
    { ADMIN_EMAILS: `bob@shop.example, ${email}` },
  ]),
  ...[
    `${LONG_LABEL}.example`,
    LONG_NAME,
    'a.example/b',
    'a-.example',
    '-a.example',
    'a_b.example',
    'example.1',
    '',
  ].map((host): [string, Record<string, string>] => [HOSTS(host), { IMG_HOSTS: `pics.example, ${host} ` }]),
  ['ACCESS_TOKEN_SECRET must be at least 32 bytes long.', { ACCESS_TOKEN_SECRET: 's'.repeat(31) }],
  ['METRICS_TOKEN must have at least 16 characters, not 15.', { METRICS_TOKEN: 'm'.repeat(15) }],
  ['LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent, not "loud".', { LOG_LEVEL: 'loud' }],
  [
    "DEMO can't be used together with Firebase and Stripe. Remove DEMO=on, or the settings of Firebase and Stripe.",
    { ...FIREBASE, ...STRIPE, DEMO: 'on' },
  ],
  ["DEMO can't be used together with Stripe. Remove DEMO=on, or the settings of Stripe.", { ...STRIPE, DEMO: 'on' }],
  [RATE_LIMIT('HOST=0.0.0.0'), { HOST: '0.0.0.0', RATE_LIMIT: 'off' }],
  [RATE_LIMIT(`PUBLIC_URL=${PUBLIC_URL}`), { PUBLIC_URL, RATE_LIMIT: 'off' }],
  [`HOST=0.0.0.0 lets others reach the demo, the embedded identity, sandbox payments: ${REMEDY}`, { HOST: '0.0.0.0' }],
  [`PUBLIC_URL=${PUBLIC_URL} lets others reach the Auth emulator: ${REMEDY}`, { ...EMULATOR, ...STRIPE, PUBLIC_URL }],
  [
    'PUBLIC_URL must begin with https:// unless it is a loopback address, not "http://shop.example".',
    { ...FIREBASE, ...STRIPE, PUBLIC_URL: 'http://shop.example' },
  ],
])('a wrong setting is refused with the message: %s', (message, env) => {
  expect(() => readSettings(env)).toThrow(new SettingError(message));
});

test.each(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])('LOG_LEVEL=%s is allowed', (logLevel) => {
  expect(readSettings({ LOG_LEVEL: logLevel }).logLevel).toBe(logLevel);
});

test.each(['h:1', 'h:65535', '[::1]:9099', 'auth-emulator.local:9099'])(
  'FIREBASE_AUTH_EMULATOR_HOST=%s is allowed',
  (host) => {
    const { identity } = readSettings({ ...EMULATOR, FIREBASE_AUTH_EMULATOR_HOST: host });
    expect(identity).toEqual({ kind: 'emulator', host, projectId: 'x' });
  },
);

test.each([`${'a'.repeat(63)}.example`, LONG_NAME.slice(2), 'a', '1.example', 'a-b.example'])(
  'IMG_HOSTS=%s is allowed',
  (host) => {
    expect(readSettings({ IMG_HOSTS: host }).imgHosts).toEqual([host]);
  },
);

test('each kind of Stripe key is allowed, without a webhook secret', () => {
  for (const secretKey of ['sk_test_1', 'rk_test_1'])
    expect(readSettings({ ...STRIPE, STRIPE_SECRET_KEY: secretKey }).payments).toEqual({
      kind: 'stripe',
      secretKey,
      publishableKey: 'pk_test_1',
      webhookSecret: undefined,
    });
});

test('the warnings about valid settings name the setting, the risk and the remedy', () => {
  const env = { ...FIREBASE, ...STRIPE, PUBLIC_URL, DEMO_EXPOSED: 'on', DATABASE_URL };
  expect(listSettingWarnings(readSettings(env))).toEqual([
    'DEMO_EXPOSED=on lets everyone who can reach this server use the demo',
    `STRIPE_SECRET_KEY is a test key, but PUBLIC_URL is ${PUBLIC_URL}: orders are marked as paid although no money is charged`,
    'DATABASE_URL connects to db without TLS: add sslmode=verify-full, unless you control the network',
  ]);
  expect(listSettingWarnings(readSettings({}))).toEqual([]);
});
