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
  'features/admin/tools/toolFields',
  'features/orders/orderRules',
  'features/payment/(stripe|usePayment)',
  'features/[a-z]+/[A-Za-z]+(Form|Fields?)',
  'ui/(fieldRules|presetFields)',
];

/**
 * Assigns tests to sources. The first area that matches a source counts. An entry stands for all tests whose names
 * begin with it. A run uses the tests of all areas that its mutants are in.
 */
export const AREAS = [
  {
    name: 'orders',
    sources: /^server\/(orders\/|routes\/(orders|adminOrders))/,
    tests: [
      'server/orders/',
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
    tests: [
      'server/payments/',
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
    tests: [
      'server/catalog/',
      'server/operations/copies',
      'server/http/',
      'server/orders/placing',
      'server/users/displayNames',
    ],
  },
  {
    name: 'users and auth',
    sources: /^server\/(users\/|auth\/|routes\/(users|profiles|session))/,
    tests: ['server/users/', 'server/auth/', 'embedded/firebase-auth/', 'server/http/logs', 'server/http/apiContract'],
  },
  {
    name: 'embedded identity',
    sources: /^embedded\/firebase-auth\//,
    tests: [
      'embedded/firebase-auth/',
      'server/auth/signInLimits',
      ...['server/auth/sessions', 'server/auth/emails', 'server/http/logs', 'server/http/http'],
      ...['constraints', 'demo', 'retention', 'secrets'].map((name) => `server/operations/${name}`),
    ],
  },
  {
    name: 'sandbox',
    sources: /^embedded\/stripe\/(?!browser\/)/,
    tests: [
      'embedded/stripe/',
      'server/payments/',
      'server/operations/retention',
      'server/operations/constraints',
      'server/http/http',
    ],
  },
  {
    name: 'http',
    sources: /^server\/([^/]+\.ts$|http\/|pages\/|routes\/)/,
    tests: [
      'server/http/',
      'tooling/settings',
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
    tests: ['pages/', 'server/http/', 'server/users/', 'server/catalog/', 'server/orders/'],
  },
  { name: 'browser', sources: new RegExp(`^src/(${BROWSER_SOURCES.join('|')})\\.tsx?$`), tests: ['pages/'] },
];

export const areaOf = (file) => AREAS.find(({ sources }) => sources.test(file));
