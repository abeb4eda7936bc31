import type { Config } from 'jest';

/** `npm run mutate` plants a bug as it compiles, and ends at the first failure. */
const isMutating = process.env['MUTANT'] !== undefined;
const support = '<rootDir>/__tests__/support';
const swc = isMutating ? `${support}/mutantTransform.mjs` : '<rootDir>/__tests__/node_modules/@swc/jest';
const options = {
  jsc: { target: 'es2022', transform: { react: { runtime: 'automatic' } } },
  module: { type: 'commonjs' },
};
/** Packages that come as ES modules only. */
const MODERN = ['jose', 'swiper', 'react-countup', 'countup.js', 'firebase', '@firebase', 'typebox'];

const shared = {
  ...(isMutating && { testRunner: `${support}/mutantRunner.mjs` }),
  transform: { '^.+\\.m?[tj]sx?$': [swc, options] as [string, object] },
  transformIgnorePatterns: [`/node_modules/(?!(${MODERN.join('|')})/)`],
  modulePathIgnorePatterns: ['<rootDir>/dist'],
};

const onDatabase = {
  ...shared,
  testEnvironment: 'node',
  globalSetup: `${support}/databaseSetup.ts`,
  globalTeardown: `${support}/teardown.ts`,
};

const config: Config = {
  projects: [
    {
      ...shared,
      displayName: 'tooling',
      testEnvironment: 'node',
      testMatch: ['<rootDir>/__tests__/tooling/*.test.ts'],
    },
    {
      ...onDatabase,
      displayName: 'embedded',
      testMatch: ['<rootDir>/embedded/*/tests/*.test.ts'],
    },
    {
      ...onDatabase,
      displayName: 'server',
      testMatch: ['<rootDir>/__tests__/server/**/*.test.ts'],
    },
    {
      ...shared,
      displayName: 'pages',
      testEnvironment: `${support}/pageEnvironment.ts`,
      testMatch: ['<rootDir>/__tests__/pages/**/*.test.{ts,tsx}'],
      moduleNameMapper: { '\\.(css|woff2)$': `${support}/asset.ts` },
      setupFilesAfterEnv: [`${support}/pageSetup.ts`],
      globalSetup: `${support}/shopSetup.ts`,
      globalTeardown: `${support}/teardown.ts`,
    },
    {
      ...shared,
      displayName: 'browser',
      testEnvironment: 'node',
      testMatch: ['<rootDir>/__tests__/browser/**/*.test.ts'],
      setupFilesAfterEnv: [`${support}/secondGo.ts`],
      globalSetup: `${support}/browserSetup.ts`,
      globalTeardown: `${support}/teardown.ts`,
    },
  ],
  testSequencer: `${support}/${isMutating ? 'givenOrder' : 'slowFirst'}.mjs`,
  // What waits has its own, shorter patience: this is for a machine that is many times slower.
  testTimeout: 120_000,
  coverageProvider: 'v8',
  coverageReporters: ['text-summary', 'lcov'],
  collectCoverageFrom: [
    'src/**/*.{ts,tsx}',
    'server/**/*.ts',
    'embedded/**/*.ts',
    '!embedded/*/tests/**',
    '!**/*.d.ts',
  ],
  reporters: ['default', `${support}/steadyReporter.mjs`, `${support}/plainReporter.mjs`],
};

export default config;
