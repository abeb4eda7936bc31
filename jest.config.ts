import type { Config } from 'jest';

/** `npm run mutate` plants a bug as it compiles, and ends at the first failure. */
const isMutating = process.env['MUTANT'] !== undefined;
const kit = '<rootDir>/__tests__/support/jest';
const swc = isMutating ? `${kit}/mutantTransform.mjs` : '<rootDir>/__tests__/node_modules/@swc/jest';
const options = {
  jsc: { target: 'es2022', transform: { react: { runtime: 'automatic' } } },
  module: { type: 'commonjs' },
};
/** Packages that come as ES modules only. */
const MODERN = ['jose', 'swiper', 'react-countup', 'countup.js', 'firebase', '@firebase', 'typebox'];

const shared = {
  ...(isMutating && { testRunner: `${kit}/mutantRunner.mjs` }),
  transform: { '^.+\\.m?[tj]sx?$': [swc, options] as [string, object] },
  transformIgnorePatterns: [`/node_modules/(?!(${MODERN.join('|')})/)`],
  modulePathIgnorePatterns: ['<rootDir>/dist'],
};

const onDatabase = {
  ...shared,
  testEnvironment: 'node',
  globalSetup: `${kit}/databaseSetup.ts`,
  globalTeardown: `${kit}/teardown.ts`,
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
      testEnvironment: `${kit}/pageEnvironment.ts`,
      testMatch: ['<rootDir>/__tests__/pages/**/*.test.{ts,tsx}'],
      moduleNameMapper: { '\\.(css|woff2)$': `${kit}/asset.ts` },
      setupFilesAfterEnv: [`${kit}/pageSetup.ts`],
      globalSetup: `${kit}/shopSetup.ts`,
      globalTeardown: `${kit}/teardown.ts`,
    },
    {
      ...shared,
      displayName: 'browser',
      testEnvironment: 'node',
      testMatch: ['<rootDir>/__tests__/browser/**/*.test.ts'],
      setupFilesAfterEnv: [`${kit}/browserRetry.ts`],
      globalSetup: `${kit}/browserSetup.ts`,
      globalTeardown: `${kit}/teardown.ts`,
    },
  ],
  testSequencer: `${kit}/${isMutating ? 'givenOrder' : 'slowFirst'}.mjs`,
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
  reporters: ['default', `${kit}/steadyReporter.mjs`, `${kit}/plainReporter.mjs`],
};

export default config;
