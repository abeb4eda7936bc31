/**
 * Which tests concern which sources. The first area that matches a file counts. `close` runs first; what survives it
 * meets `wide` too. Names of test files are matched from their start.
 */
export const AREAS = [
  {
    name: 'orders',
    sources: /^server\/orders\//,
    project: 'server',
    close: ['orders.'],
    wide: ['payments.', 'doctor', 'copies'],
  },
  {
    name: 'payments',
    sources: /^server\/(payments\/|routes\/payments)/,
    project: 'server',
    close: ['payments.', 'doctor'],
    wide: ['orders.', 'sandbox.'],
  },
  {
    name: 'catalog',
    sources: /^server\/(catalog\/|routes\/(tools|reviews)|http\/cachedResponse)/,
    project: 'server',
    close: ['tools', 'reviews', 'copies', 'homePage'],
    wide: ['http', 'headers', 'orders.placing', 'orders.holds', 'imageHosts'],
  },
  {
    name: 'users and auth',
    sources: /^server\/(users\/|auth\/|routes\/(users|profiles|session))/,
    project: 'server',
    close: ['users', 'admins', 'access', 'tokens', 'email', 'forgedTokens', 'googleKeys', 'profiles'],
    wide: ['addresses', 'sessions', 'signInLimits', 'embeddedSession', 'identity.', 'logs', 'names'],
  },
  {
    name: 'embedded identity',
    sources: /^embedded\/firebase-auth\//,
    project: 'server',
    close: ['identity.', 'signInLimits'],
    wide: ['embeddedSession', 'sessions', 'addresses', 'logs', 'demo'],
  },
  {
    name: 'sandbox',
    sources: /^embedded\/stripe\/(?!browser\/)/,
    project: 'server',
    close: ['sandbox.'],
    wide: ['payments.'],
  },
  {
    name: 'http',
    sources: /^server\/([^/]+\.ts$|http\/|pages\/|routes\/)/,
    project: 'server',
    close: ['http', 'headers', 'network', 'requestLine', 'settings', 'storage', 'answerInTime', 'hostile', 'exposure'],
    wide: ['busy', 'behindProxy', 'metrics', 'logs', 'orders.lists', 'copies', 'signInLimits', 'secrets', 'clock'],
  },
  {
    name: 'browser',
    sources: /^src\/(api|app|features|contract)\//,
    project: 'pages',
    close: [''],
    wide: [],
  },
];

export const areaOf = (file) => AREAS.find(({ sources }) => sources.test(file));
