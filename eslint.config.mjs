import js from '@eslint/js';
import boundaries from 'eslint-plugin-boundaries';
import { createNodeResolver, importX } from 'eslint-plugin-import-x';
import reactHooks from 'eslint-plugin-react-hooks';
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';

/** The rooms of the house, the first that fits counts. */
const rooms = Object.entries({
  entities: 'src/contract/entities.ts',
  contract: 'src/contract/*',
  ui: 'src/ui/**/*',
  api: 'src/api/*',
  around: 'src/app/{hooks,config,useDraft,useDraftForm,drafts,sessionActions}.*',
  session: 'src/features/{auth/{authSlice,identity},admin/adminSlice}.ts',
  card: 'src/features/catalog/{ToolCard,cardStyle}.*',
  auth: 'src/features/auth/**/*',
  admin: 'src/features/admin/**/*',
  catalog: 'src/features/catalog/**/*',
  orders: 'src/features/orders/**/*',
  payment: 'src/features/payment/**/*',
  content: 'src/features/content/**/*',
  app: 'src/{app/**/*,index.tsx,render.tsx}',
  routes: 'server/routes/*',
  postgres: 'embedded/postgres/*',
  identity: 'embedded/firebase-auth/**/*',
  sandbox: 'embedded/stripe/**/*',
  db: 'server/db/**/*',
  providers: 'server/providers/*',
  ground: 'server/{root,email,settings,findContradiction,hostNames,limits,network,errors}.ts',
  server: 'server/**/*',
  tests: '__tests__/**/*',
}).map(([type, pattern]) => ({ type, pattern, mode: 'full' }));

const FEATURES = ['auth', 'admin', 'catalog', 'orders', 'payment', 'content'];
const ALL = rooms.map(({ type }) => type);
const SRC = ['entities', 'contract', 'ui', 'api', 'around', 'session', 'card', ...FEATURES, 'app'];

/** The preview of a new tool is the card itself. */
const cardIn = (feature) => (['catalog', 'admin'].includes(feature) ? ['card'] : []);

/** Who may import whom: what is not here may not. */
const may = {
  entities: ['contract'],
  contract: ['contract', 'entities'],
  ui: ['ui', 'contract'],
  api: ['api', 'contract', 'entities'],
  around: ['around', 'session', 'api', 'contract', 'entities', 'app'],
  session: ['session', 'api'],
  ...Object.fromEntries(
    FEATURES.map((name) => [name, [name, 'session', 'around', 'api', 'ui', 'contract', 'entities', ...cardIn(name)]]),
  ),
  card: ['card', 'ui', 'contract', 'entities'],
  app: SRC,
  routes: ['server', 'ground', 'db', 'providers', 'entities', 'contract'],
  postgres: ['postgres'],
  identity: ['identity', 'db', 'ground', 'contract'],
  sandbox: ['sandbox', 'db', 'ground', 'contract'],
  db: ['db', 'postgres', 'identity', 'ground', 'contract', 'entities'],
  providers: ['providers', 'ground', 'contract'],
  ground: ['ground', 'db', 'contract', 'entities'],
  server: ['server', 'routes', 'postgres', 'identity', 'sandbox', 'db', 'providers', 'ground', 'entities', 'contract'],
  tests: ALL,
};
const policies = Object.entries(may).map(([type, types]) => ({
  from: { element: { type } },
  allow: { to: { element: { types: { anyOf: types } } } },
}));

/** Where each vendor's package may be imported, whole or any part of it. */
const VENDORS = [
  { vendor: 'firebase', home: ['src/features/auth/firebaseIdentity.ts', 'src/features/auth/embeddedPopup.ts'] },
  { vendor: '@stripe', home: ['src/features/payment/stripe.ts', 'embedded/stripe/browser/**'] },
  { vendor: 'stripe', home: ['server/providers/stripe.ts', 'embedded/stripe/**'] },
];
/** All but these vendors are forbidden there. A later block replaces an earlier one, so each names all that it forbids. */
const noVendorsBut = (allowed, files) => ({
  files,
  rules: {
    'no-restricted-imports': [
      'error',
      {
        patterns: VENDORS.filter(({ vendor }) => !allowed.includes(vendor)).map(({ vendor, home }) => ({
          regex: `^${vendor}($|/)`,
          message: `${vendor} belongs in ${home.join(', ')} alone.`,
        })),
      },
    ],
  },
});

const readonly = (...names) => Object.fromEntries(names.map((name) => [name, 'readonly']));

export default tseslint.config(
  { ignores: ['dist', 'coverage', '**/node_modules', '.data'] },
  js.configs.recommended,
  ...tseslint.configs.strict,
  {
    // A regular expression of quadratic cost lets one request of 16 KB block the server for a third of a second.
    files: ['server/**', 'embedded/**', 'src/**', 'public/**'],
    plugins: { regexp },
    rules: {
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': ['error', { report: 'potential' }],
    },
  },
  {
    files: ['scripts/**', '*.mjs', '__tests__/**/*.mjs'],
    languageOptions: { globals: readonly('process', 'Buffer', 'console', 'URL', 'fetch', 'performance') },
  },
  {
    files: ['public/**/*.js', 'embedded/**/*.client.js'],
    languageOptions: {
      globals: readonly('window', 'document', 'localStorage', 'location', 'URLSearchParams', 'FormData', 'fetch'),
    },
  },
  {
    files: ['**/*.{ts,tsx}'],
    plugins: { boundaries, 'import-x': importX },
    settings: {
      'boundaries/elements': rooms,
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
      'max-lines': ['error', 250],
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
        { object: 'process', property: 'env', message: 'Settings are read in server/settings.ts.' },
      ],
    },
  },
  {
    files: ['src/**/*.{ts,tsx}'],
    plugins: { 'react-hooks': reactHooks },
    rules: reactHooks.configs.recommended.rules,
  },
  noVendorsBut([], ['src/**', 'server/**', 'embedded/**']),
  noVendorsBut(['firebase'], VENDORS[0].home),
  noVendorsBut(['@stripe'], VENDORS[1].home.slice(0, 1)),
  noVendorsBut(['stripe'], VENDORS[2].home),
  noVendorsBut(['stripe', '@stripe'], VENDORS[1].home.slice(1)),
);
