import js from '@eslint/js';
import boundaries from 'eslint-plugin-boundaries';
import { createNodeResolver, importX } from 'eslint-plugin-import-x';
import reactHooks from 'eslint-plugin-react-hooks';
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';

/** A file belongs to the first module whose pattern matches. */
const modules = Object.entries({
  tests: '{__tests__/**/*,embedded/*/tests/*}',
  entities: 'src/contract/entities.ts',
  contract: 'src/contract/*',
  storage: 'src/storage.ts',
  config: 'src/config.ts',
  ui: 'src/ui/**/*',
  api: 'src/api/*',
  feedback: 'src/feedback/*',
  forms: 'src/forms/*',
  session: 'src/session/*',
  'tool-card': 'src/features/catalog/{ToolCard,ToolLink,cardStyle,growPicture,toolStock}.*',
  auth: 'src/features/auth/**/*',
  'admin-orders': 'src/features/admin/orders/*',
  'admin-tools': 'src/features/admin/tools/*',
  'admin-users': 'src/features/admin/users/*',
  catalog: 'src/features/catalog/**/*',
  orders: 'src/features/orders/**/*',
  payment: 'src/features/payment/**/*',
  content: 'src/features/content/**/*',
  app: 'src/{app/**/*,index.tsx,render.tsx}',
  'postgres-index': 'embedded/postgres/index.ts',
  postgres: 'embedded/postgres/**/*',
  'identity-index': 'embedded/firebase-auth/index.ts',
  'identity-schema': 'embedded/firebase-auth/schema.ts',
  identity: 'embedded/firebase-auth/**/*',
  'sandbox-index': 'embedded/stripe/index.ts',
  'sandbox-schema': 'embedded/stripe/schema.ts',
  sandbox: 'embedded/stripe/**/*',
  'server-settings': 'server/{projectRoot.ts,settings/*}',
  'server-deps': 'server/deps.ts',
  'server-db': 'server/db/**/*',
  'server-http': 'server/http/*',
  'server-auth': 'server/auth/*',
  'server-catalog': 'server/catalog/*',
  'server-users': 'server/users/*',
  'server-mail': 'server/mail/*',
  'server-orders': 'server/orders/*',
  'server-payments': 'server/payments/*',
  'server-holds': 'server/holds/*',
  'server-doctor': 'server/doctor/*',
  'server-jobs': 'server/jobs/*',
  'server-privacy': 'server/privacy/*',
  'server-routes': 'server/routes/*',
  'server-pages': 'server/pages/*',
  server: 'server/**/*',
  tools: '{*,{scripts,tools}/**/*}',
}).map(([type, pattern]) => ({ type, pattern, mode: 'full' }));

const FEATURES = ['auth', 'admin-orders', 'admin-tools', 'admin-users', 'catalog', 'orders', 'payment', 'content'];
const ALL_MODULES = modules.map(({ type }) => type);
const CONTRACT = ['contract', 'entities'];
const BROWSER_MODULES = [
  ...[...CONTRACT, 'storage', 'config', 'ui', 'api', 'feedback', 'forms', 'session', 'tool-card'],
  ...[...FEATURES, 'app'],
];
const SERVER_SHARED = [...CONTRACT, 'server-settings', 'server-db', 'server-http'];
const SERVER_SHARED_AND_DEPS = [...SERVER_SHARED, 'server-deps'];
const DOMAINS = ['auth', 'catalog', 'users', 'mail', 'orders', 'payments', 'holds', 'doctor', 'jobs', 'privacy'].map(
  (name) => `server-${name}`,
);

const BELOW_PAYMENTS = ['server-orders', 'server-auth', 'server-catalog', 'server-mail', ...SERVER_SHARED];

const EMBEDDED = ['postgres', 'identity', 'sandbox'];
const EMBEDDED_INDEXES = EMBEDDED.map((name) => `${name}-index`);

/** A file of an embedded service may import only packages and files of the same service. */
const allowOwnFiles = (name) => ['', '-index', '-schema'].map((part) => [name + part, [name, `${name}-schema`]]);

/** The admin's forms for tools show the catalog's tool card as a preview. */
const allowToolCard = (feature) => (['catalog', 'admin-tools'].includes(feature) ? ['tool-card'] : []);

/** The modules that each module may import. ESLint reports any other import. */
const allowedImports = {
  entities: ['contract'],
  contract: CONTRACT,
  storage: [],
  config: ['contract'],
  ui: ['ui', 'storage', 'contract'],
  api: ['api', 'storage', ...CONTRACT],
  feedback: ['feedback', 'ui', 'storage', 'contract'],
  forms: ['forms', 'feedback', 'ui', 'storage', ...CONTRACT],
  session: ['session', 'api', 'forms', 'feedback', 'storage', 'config', ...CONTRACT],
  ...Object.fromEntries(
    FEATURES.map((name) => [
      name,
      [name, 'session', 'forms', 'feedback', 'api', 'ui', 'storage', 'config', ...CONTRACT, ...allowToolCard(name)],
    ]),
  ),
  'tool-card': ['tool-card', 'ui', ...CONTRACT],
  app: BROWSER_MODULES,
  ...Object.fromEntries(EMBEDDED.flatMap(allowOwnFiles)),
  'server-settings': ['server-settings', 'server-http'],
  'server-deps': [...SERVER_SHARED_AND_DEPS, ...DOMAINS],
  'server-db': ['server-db', 'server-settings', 'identity-schema', 'sandbox-schema', ...CONTRACT],
  'server-http': SERVER_SHARED,
  /** The domains declare what they need, and do not import `deps.ts`. */
  'server-auth': ['server-auth', ...SERVER_SHARED],
  'server-catalog': ['server-catalog', 'server-auth', ...SERVER_SHARED],
  'server-users': ['server-users', 'server-auth', ...SERVER_SHARED],
  'server-mail': ['server-mail', ...SERVER_SHARED],
  'server-orders': ['server-orders', 'server-auth', 'server-catalog', 'server-mail', ...SERVER_SHARED],
  'server-payments': ['server-payments', ...BELOW_PAYMENTS],
  'server-holds': ['server-holds', 'server-payments', ...BELOW_PAYMENTS],
  'server-doctor': ['server-doctor', 'server-payments', ...BELOW_PAYMENTS],
  'server-jobs': ['server-jobs', 'server-holds', 'server-payments', ...BELOW_PAYMENTS],
  'server-privacy': ['server-privacy', 'server-users', 'server-payments', ...BELOW_PAYMENTS],
  'server-routes': [...DOMAINS, ...SERVER_SHARED_AND_DEPS],
  'server-pages': ['server-pages', ...DOMAINS, ...SERVER_SHARED_AND_DEPS],
  server: ['server', 'server-routes', 'server-pages', ...EMBEDDED_INDEXES, ...DOMAINS, ...SERVER_SHARED_AND_DEPS],
  tests: ALL_MODULES,
  tools: ALL_MODULES,
};
const policies = Object.entries(allowedImports).map(([type, types]) => ({
  from: { element: { type } },
  allow: { to: { element: { types: { anyOf: types } } } },
}));

/** The files that may import each vendor's package or any of its subpaths. */
const VENDORS = [
  {
    vendor: 'firebase',
    allowedIn: [
      'src/session/firebaseIdentity.ts',
      'src/session/localGoogleChooser.ts',
      'embedded/firebase-auth/tests/**',
    ],
  },
  { vendor: '@stripe', allowedIn: ['src/features/payment/stripe.ts', 'embedded/stripe/browser/**'] },
  { vendor: 'stripe', allowedIn: ['server/payments/stripe.ts', 'embedded/stripe/**'] },
];
/**
 * Forbids all other vendors in these files. A later block replaces an earlier one, so each block lists all vendors that
 * its files must not import.
 */
const allowOnlyVendors = (allowed, files) => ({
  files,
  rules: {
    'no-restricted-imports': [
      'error',
      {
        patterns: VENDORS.filter(({ vendor }) => !allowed.includes(vendor)).map(({ vendor, allowedIn }) => ({
          regex: `^${vendor}($|/)`,
          message: `Import ${vendor} only in ${allowedIn.join(', ')}.`,
        })),
      },
    ],
  },
});

const readonlyGlobals = (...names) => Object.fromEntries(names.map((name) => [name, 'readonly']));

export default tseslint.config(
  { ignores: ['dist', 'coverage', '.cache', '**/node_modules', '.data'] },
  js.configs.recommended,
  ...tseslint.configs.strict,
  {
    // With a regular expression that takes quadratic time, a single request of 16 KB can block the server for a third
    // of a second.
    files: ['server/**', 'embedded/**', 'src/**', 'public/**'],
    plugins: { regexp },
    rules: {
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': ['error', { report: 'potential' }],
    },
  },
  {
    files: ['{scripts,tools}/**', '*.mjs', '__tests__/**/*.mjs'],
    languageOptions: { globals: readonlyGlobals('process', 'Buffer', 'console', 'URL', 'fetch', 'performance') },
  },
  {
    files: ['public/**/*.js', 'embedded/**/*.client.js'],
    languageOptions: {
      globals: readonlyGlobals(
        'window',
        'document',
        'localStorage',
        'location',
        'URLSearchParams',
        'FormData',
        'fetch',
      ),
    },
  },
  {
    files: ['**/*.{ts,tsx}'],
    plugins: { boundaries, 'import-x': importX },
    settings: {
      'boundaries/elements': modules,
      // The plugin advises an option that would match other files.
      'boundaries/legacy-warnings': false,
      'import/resolver': { node: { extensions: ['.ts', '.tsx', '.js'] } },
      'import-x/resolver-next': [createNodeResolver({ extensions: ['.ts', '.tsx', '.js'] })],
    },
    rules: {
      'boundaries/dependencies': ['error', { default: 'disallow', policies }],
      'import-x/no-cycle': ['error', { ignoreExternal: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-invalid-void-type': 'off',
      'no-console': 'error',
      eqeqeq: 'error',
    },
  },
  {
    files: [
      'src/**',
      'server/routes/**',
      'embedded/{firebase-auth,stripe}/**',
      'server/orders/**',
      'server/payments/**',
    ],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Read settings only in server/settings/settings.ts.' },
      ],
    },
  },
  {
    files: ['src/**/*.{ts,tsx}'],
    plugins: { 'react-hooks': reactHooks },
    rules: reactHooks.configs.recommended.rules,
  },
  allowOnlyVendors([], ['src/**', 'server/**', 'embedded/**']),
  allowOnlyVendors(['firebase'], VENDORS[0].allowedIn),
  allowOnlyVendors(['@stripe'], VENDORS[1].allowedIn.slice(0, 1)),
  allowOnlyVendors(['stripe'], VENDORS[2].allowedIn),
  allowOnlyVendors(['stripe', '@stripe'], VENDORS[1].allowedIn.slice(1)),
);
