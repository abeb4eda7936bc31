import { createHash } from 'node:crypto';
import { FIREBASE_ENV, PROJECT, startGoogle } from '../../support/googleTokens';
import { startShop } from '../../support/shop';

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
      const { publicUrl: origin, demo } = shop.deps.settings;
      expect([path, JSON.parse(publicConfig!)]).toEqual([path, { ...config, demo, origin }]);
    }
  } finally {
    await shop.close();
    await google.stop();
  }
});
