// Jest runs what `tsc -b` compiled: no transformer, and a type error fails the tests.
export default {
  rootDir: 'dist',
  testMatch: ['**/*.spec.js'],
  transform: {},
  testEnvironment: 'node',
  maxWorkers: 2,
  testTimeout: 60_000,
};
