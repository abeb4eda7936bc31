/** Sources of the browser that decide something: calls, session, drafts, forms and rules. Tests in Chromium see the rest. */
const BROWSER = [
  'api/.*',
  'app/(session|sessionVerbs|sessionActions|door|leaving|listeners|tellings|Guarded)',
  'app/(drafts|useDraft|useDraftForm)',
  'features/auth/(authSlice|embeddedPopup|firebaseIdentity|returnPath|rules|useAttempt|credentialFields)',
  'features/admin/(adminSlice|toolFields)',
  'features/orders/(orderRules|usePurchaseForm)',
  'features/payment/(pending|stripe|useRecord|useSecret)',
  'features/catalog/reviewFields',
  'features/[a-z]+/[A-Za-z]+(Form|Fields?)',
  'ui/(fieldRules|knownFields)',
];

/**
 * Which tests concern which sources: the first area that matches a file counts. Names of tests are matched from their
 * start. Of these tests only those run that reach the mutant, those of `close` before those of `wide`.
 */
export const AREAS = [
  {
    name: 'orders',
    sources: /^server\/(orders\/|routes\/orders)/,
    close: ['server/orders.'],
    wide: ['server/payments.', 'server/doctor', 'server/copies', 'server/constraints', 'server/storage'],
  },
  {
    name: 'payments',
    sources: /^server\/(payments\/|routes\/payments)/,
    close: ['server/payments.', 'server/doctor'],
    wide: ['server/orders.', 'server/sandbox.', 'server/constraints'],
  },
  {
    name: 'catalog',
    sources: /^server\/(catalog\/|routes\/(tools|reviews)|http\/(cachedResponse|imageHosts))/,
    close: ['server/tools', 'server/reviews', 'server/catalog', 'server/prepared', 'server/imageHosts'],
    wide: [
      'server/copies',
      'server/homePage',
      'server/http',
      'server/headers',
      'server/orders.placing',
      'server/names',
    ],
  },
  {
    name: 'users and auth',
    sources: /^server\/(users\/|auth\/|routes\/(users|profiles|session))/,
    close: ['users', 'admins', 'access', 'tokens', 'email', 'forgedTokens', 'googleKeys', 'profiles', 'sessions'].map(
      (name) => `server/${name}`,
    ),
    wide: ['account', 'addresses', 'signInLimits', 'embeddedSession', 'identity.', 'logs', 'names', 'security'].map(
      (name) => `server/${name}`,
    ),
  },
  {
    name: 'embedded identity',
    sources: /^embedded\/firebase-auth\//,
    close: ['server/identity.', 'server/signInLimits'],
    wide: ['embeddedSession', 'sessions', 'addresses', 'logs', 'demo', 'forgetting', 'secrets', 'constraints'].map(
      (name) => `server/${name}`,
    ),
  },
  {
    name: 'sandbox',
    sources: /^embedded\/stripe\/(?!browser\/)/,
    close: ['server/sandbox.'],
    wide: ['server/payments.', 'server/forgetting', 'server/constraints'],
  },
  {
    name: 'http',
    sources: /^server\/([^/]+\.ts$|http\/|pages\/|routes\/)/,
    close: ['http', 'headers', 'network', 'requestLine', 'settings', 'storage', 'answerInTime', 'hostile', 'load'].map(
      (name) => `server/${name}`,
    ),
    wide: [
      ...['behindProxy', 'busy', 'catalog', 'clock', 'copies', 'exposure', 'forgetting', 'homePage', 'identity.limits'],
      ...['logs', 'metrics', 'names', 'orders.lists', 'orders.placing', 'page', 'prepared', 'secrets', 'security'],
      ...['signInLimits', 'stopping', 'tools', 'trouble', 'turns', 'users'],
    ].map((name) => `server/${name}`),
  },
  {
    name: 'contract',
    sources: /^src\/contract\//,
    close: ['pages/'],
    wide: [
      'server/http',
      'server/imageHosts',
      'server/names',
      'server/reviews',
      'server/tools',
      'server/orders.placing',
    ],
  },
  { name: 'browser', sources: new RegExp(`^src/(${BROWSER.join('|')})\\.tsx?$`), close: ['pages/'], wide: [] },
];

export const areaOf = (file) => AREAS.find(({ sources }) => sources.test(file));
