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

const config: Config = {
  projects: [
    {
      ...shared,
      displayName: 'server',
      testEnvironment: 'node',
      testMatch: ['<rootDir>/__tests__/server/**/*.test.ts'],
      globalSetup: '<rootDir>/__tests__/support/databaseSetup.ts',
      globalTeardown: '<rootDir>/__tests__/support/teardown.ts',
    },
    {
      ...shared,
      displayName: 'pages',
      testEnvironment: '<rootDir>/__tests__/support/pageEnvironment.ts',
      testMatch: ['<rootDir>/__tests__/pages/**/*.test.{ts,tsx}'],
      moduleNameMapper: { '\\.(css|woff2)$': '<rootDir>/__tests__/support/asset.ts' },
      setupFilesAfterEnv: ['<rootDir>/__tests__/support/pageSetup.ts'],
      globalSetup: '<rootDir>/__tests__/support/shopSetup.ts',
      globalTeardown: '<rootDir>/__tests__/support/teardown.ts',
    },
    {
      ...shared,
      displayName: 'browser',
      testEnvironment: 'node',
      testMatch: ['<rootDir>/__tests__/browser/**/*.test.ts'],
      setupFilesAfterEnv: ['<rootDir>/__tests__/support/secondGo.ts'],
      globalSetup: '<rootDir>/__tests__/support/browserSetup.ts',
      globalTeardown: '<rootDir>/__tests__/support/teardown.ts',
    },
  ],
  testSequencer: `${support}/${isMutating ? 'givenOrder' : 'slowFirst'}.mjs`,
  // What waits has its own, shorter patience: this is for a machine that is many times slower.
  testTimeout: 120_000,
  coverageProvider: 'v8',
  coverageReporters: ['text-summary', 'lcov'],
  collectCoverageFrom: ['src/**/*.{ts,tsx}', 'server/**/*.ts', 'embedded/**/*.ts', '!**/*.d.ts'],
  reporters: [
    'default',
    '<rootDir>/__tests__/support/steadyReporter.mjs',
    '<rootDir>/__tests__/support/plainReporter.mjs',
  ],
};

export default config;
