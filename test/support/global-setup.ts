import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { startTestEngines, type TestEngines } from './engines.js';

declare global {
  var uptakeTestEngines: TestEngines | undefined;
}

/** What this file needs of Jest's global configuration. */
interface TestRun {
  readonly rootDir: string;
  readonly testPathPatterns: {
    toExecutor(options: { rootDir: string }): { isMatch(path: string): boolean };
  };
}

const exit_code_by_signal = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/**
 * Starts the engines once for all workers, which inherit their addresses by environment. A run
 * of unit specs alone does not pay for them.
 */
export default async function globalSetup(run: TestRun): Promise<void> {
  if (!(await opensStores(run))) return;
  const kafka = process.env['UPTAKE_TEST_KAFKA_BROKERS'] !== undefined;
  const log = kafka ? 'kafka' : 'embedded (on kafka: npm run test:kafka)';
  process.stdout.write(`event log of the specs: ${log}\n`);
  const engines = await startTestEngines();
  globalThis.uptakeTestEngines = engines;
  // Temporary folders of specs go below the run's own, so that an interrupted run leaves none.
  process.env['TMPDIR'] = engines.folder;
  process.env['UPTAKE_TEST_DATABASE_URL'] = engines.databaseUrl;
  process.env['UPTAKE_TEST_CLICKHOUSE_URL'] = engines.clickhouseUrl;
  for (const [signal, code] of Object.entries(exit_code_by_signal)) {
    process.once(signal, () => void engines.stop().finally(() => process.exit(code)));
  }
}

/** Whether any spec that this run selects needs a store. */
async function opensStores(run: TestRun): Promise<boolean> {
  const files = await readdir(run.rootDir, { recursive: true });
  const specs = files.filter((file) => /\.(int|e2e)\.spec\.js$/.test(file));
  const selection = run.testPathPatterns.toExecutor({ rootDir: run.rootDir });
  return specs.some((spec) => selection.isMatch(join(run.rootDir, spec)));
}
