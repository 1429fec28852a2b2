// Jest runs what `tsc -b` compiled: no transformer, and a type error fails the tests.
export default {
  rootDir: 'dist',
  testMatch: ['**/*.spec.js'],
  transform: {},
  testEnvironment: 'node',
  // One PostgreSQL and one ClickHouse engine for the whole run, unless only unit specs are in it.
  globalSetup: './test/support/global-setup.js',
  globalTeardown: './test/support/global-teardown.js',
  maxWorkers: 2,
  testTimeout: 60_000,
};
