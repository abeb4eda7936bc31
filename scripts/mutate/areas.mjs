/**
 * The browser sources that have mutants, because tests in jsdom cover their logic. The tests of all others run in
 * Chromium, where there are no mutants.
 */
const BROWSER_SOURCES = [
  'api/.*',
  'session/.*',
  'forms/.*',
  'app/(listeners|RequireAccess)',
  'features/auth/(returnPath|credentialFields)',
  'features/admin/toolFields',
  'features/orders/orderRules',
  'features/payment/(stripe|usePayment)',
  'features/[a-z]+/[A-Za-z]+(Form|Fields?)',
  'ui/(fieldRules|presetFields)',
];

/**
 * Assigns tests to sources. The first area that matches a source counts. An entry stands for all tests whose names
 * begin with it. Of the tests that reach a mutant, those in `close` run before those in `wide`.
 */
export const AREAS = [
  {
    name: 'orders',
    sources: /^server\/(orders\/|routes\/(orders|adminOrders))/,
    close: ['server/orders/'],
    wide: [
      'server/payments/',
      'server/operations/copies',
      'server/operations/constraints',
      'server/operations/fullDisk',
      'server/operations/retention',
      'server/http/apiContract',
    ],
  },
  {
    name: 'payments',
    sources: /^server\/(payments\/|routes\/payments)/,
    close: ['server/payments/'],
    wide: [
      'server/orders/',
      'server/auth/emails',
      'embedded/stripe/',
      'server/operations/constraints',
      'server/operations/explain',
      'server/operations/retention',
      'server/http/apiContract',
    ],
  },
  {
    name: 'catalog',
    sources: /^server\/(catalog\/|routes\/(tools|reviews)|http\/(cachedResponse|imageHosts))/,
    close: ['server/catalog/', 'server/http/cachedResponse', 'server/http/imageHosts'],
    wide: ['server/operations/copies', 'server/http/', 'server/orders/placing', 'server/users/displayNames'],
  },
  {
    name: 'users and auth',
    sources: /^server\/(users\/|auth\/|routes\/(users|profiles|session))/,
    close: ['server/users/', 'server/auth/'],
    wide: ['embedded/firebase-auth/', 'server/http/logs', 'server/http/apiContract'],
  },
  {
    name: 'embedded identity',
    sources: /^embedded\/firebase-auth\//,
    close: ['embedded/firebase-auth/', 'server/auth/signInLimits'],
    wide: [
      ...['server/auth/sessions', 'server/auth/emails', 'server/http/logs', 'server/http/http'],
      ...['constraints', 'demo', 'retention', 'secrets'].map((name) => `server/operations/${name}`),
    ],
  },
  {
    name: 'sandbox',
    sources: /^embedded\/stripe\/(?!browser\/)/,
    close: ['embedded/stripe/'],
    wide: ['server/payments/', 'server/operations/retention', 'server/operations/constraints', 'server/http/http'],
  },
  {
    name: 'http',
    sources: /^server\/([^/]+\.ts$|http\/|pages\/|routes\/)/,
    close: ['server/http/', 'tooling/settings', 'server/operations/fullDisk'],
    wide: [
      'server/operations/',
      'server/catalog/',
      'server/orders/lists',
      'server/orders/placing',
      'server/users/',
      'server/auth/signInLimits',
      'embedded/firebase-auth/tests/loginLimits',
      'server/payments/sandboxReversals',
    ],
  },
  {
    name: 'contract',
    sources: /^src\/contract\//,
    close: ['pages/'],
    wide: ['server/http/', 'server/users/', 'server/catalog/', 'server/orders/'],
  },
  { name: 'browser', sources: new RegExp(`^src/(${BROWSER_SOURCES.join('|')})\\.tsx?$`), close: ['pages/'], wide: [] },
];

export const areaOf = (file) => AREAS.find(({ sources }) => sources.test(file));
