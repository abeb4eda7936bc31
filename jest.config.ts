import type { Config } from 'jest';

/** Whether `npm run tool -- mutate` runs the tests. It plants mutants or their counters during compilation. */
const isMutating = process.env['MUTANT'] !== undefined;
const jestSupport = '<rootDir>/__tests__/support/jest';
const noticeClosedConnections = `${jestSupport}/noticeClosedConnections.ts`;
const transformer = isMutating ? `${jestSupport}/mutantTransform.mjs` : '<rootDir>/__tests__/node_modules/@swc/jest';
const swcOptions = {
  jsc: { target: 'es2022', transform: { react: { runtime: 'automatic' } } },
  module: { type: 'commonjs' },
  // Beside the code and not in it, because a map in the code would be read and compiled in every test file.
  sourceMaps: true,
};
/** Packages that contain only ES modules, which Jest must transform. */
const ESM_PACKAGES = ['jose', 'swiper', 'react-countup', 'countup.js', 'firebase', '@firebase', 'typebox'];

const shared = {
  ...(isMutating && { testRunner: `${jestSupport}/mutantRunner.mjs` }),
  transform: { '^.+\\.m?[tj]sx?$': [transformer, swcOptions] as [string, object] },
  transformIgnorePatterns: [`/node_modules/(?!(${ESM_PACKAGES.join('|')})/)`],
  modulePathIgnorePatterns: ['<rootDir>/dist'],
};

const withDatabase = {
  ...shared,
  testEnvironment: 'node',
  globalSetup: `${jestSupport}/databaseSetup.ts`,
  globalTeardown: `${jestSupport}/teardown.ts`,
};

const withBrowser = {
  ...withDatabase,
  setupFilesAfterEnv: [noticeClosedConnections],
  globalSetup: `${jestSupport}/browserSetup.ts`,
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
      ...withDatabase,
      displayName: 'embedded',
      testMatch: ['<rootDir>/embedded/*/tests/*.test.ts'],
    },
    {
      ...withDatabase,
      displayName: 'server',
      testMatch: ['<rootDir>/__tests__/server/**/*.test.ts'],
    },
    {
      ...shared,
      displayName: 'pages',
      testEnvironment: `${jestSupport}/pageEnvironment.ts`,
      testMatch: ['<rootDir>/__tests__/pages/**/*.test.{ts,tsx}'],
      moduleNameMapper: { '\\.(css|woff2)$': `${jestSupport}/assetStub.ts` },
      setupFilesAfterEnv: [`${jestSupport}/pageSetup.ts`, noticeClosedConnections],
      globalSetup: `${jestSupport}/shopSetup.ts`,
      globalTeardown: `${jestSupport}/teardown.ts`,
    },
    {
      ...withBrowser,
      displayName: 'browser',
      testMatch: ['<rootDir>/__tests__/browser/**/*.test.ts'],
    },
    {
      ...withBrowser,
      displayName: 'verify',
      testMatch: ['<rootDir>/__tests__/verify/**/*.test.ts'],
    },
  ],
  // One more than the two cores that the tests need, because a quarter of their time is waiting.
  maxWorkers: 3,
  testSequencer: `${jestSupport}/${isMutating ? 'commandLineOrder' : 'slowFilesFirst'}.mjs`,
  // Functions that wait have shorter timeouts of their own. This one is long enough for a much slower machine.
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
  reporters: isMutating ? [`${jestSupport}/mutantReporter.mjs`] : ['default', `${jestSupport}/summaryReporter.mjs`],
};

export default config;
