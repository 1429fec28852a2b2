/** Set by `npm run test:kafka`, which starts a broker; without one its own specs cannot run. */
const on_kafka = process.env.UPTAKE_TEST_KAFKA_BROKERS !== undefined;

// Jest runs what `tsc -b` compiled: no transformer, and a type error fails the tests.
export default {
  rootDir: 'dist',
  testMatch: ['**/*.spec.js'],
  testPathIgnorePatterns: on_kafka ? [] : ['/kafka/.*\\.(int|e2e)\\.spec\\.js$'],
  transform: {},
  testEnvironment: 'node',
  // One PostgreSQL and one ClickHouse engine for the whole run, unless only unit specs are in it.
  globalSetup: './test/support/global-setup.js',
  globalTeardown: './test/support/global-teardown.js',
  maxWorkers: 2,
  testTimeout: 60_000,
};
