import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { kafkaVersion } from './broker-release.js';
import { startBroker } from './broker.js';

const write = (text: string): void => void process.stdout.write(text);
const root = fileURLToPath(new URL('../../../', import.meta.url));

const pipeline = ['tour', 'tracking', 'projector', 'projection', 'privacy-stores'];
const trouble = ['faults', 'chaos'];
const ops = ['group', 'log', 'replay', 'quarantine', 'redrive-after-fix', 'verify', 'claims'];

/**
 * The driver's contract, and the specs of everything that works with the log, as patterns. What
 * drives parts by hand does so on the embedded log in either run, so here it has no place.
 */
const specs = [
  'dist/libs/event-log/src/kafka',
  'dist/test/kafka/',
  'dist/test/projection/verify.int',
  ...[...pipeline, ...trouble].map((folder) => `dist/test/${folder}/.*.e2e`),
  ...ops.map((command) => `dist/test/ops/${command}.e2e`),
];

/** Runs Jest on `selected` with the log on `brokers`; resolves with its exit code. */
async function runSpecs(
  brokers: string,
  jars: string,
  selected: readonly string[],
  interrupted: AbortSignal,
): Promise<number> {
  const jest = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
  const given = [...jest, 'node_modules/jest/bin/jest.js', ...selected];
  const child = spawn(process.execPath, given, {
    cwd: root,
    env: {
      ...process.env,
      UPTAKE_TEST_KAFKA_BROKERS: brokers,
      UPTAKE_TEST_KAFKA_JARS: jars,
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  interrupted.addEventListener('abort', () => child.kill('SIGINT'), { once: true });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}

/** `npm run test:kafka [-- path…]`: a broker in a temporary folder, the specs on it, its end. */
async function main(): Promise<number> {
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => interrupted.abort());
  }
  const version = kafkaVersion(process.env['KAFKA_VERSION']);
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'uptake-kafka-')));
  try {
    write(`Kafka ${version}: getting ready\n`);
    const broker = await startBroker({ directory, version });
    const named = process.argv.slice(2);
    try {
      const selected = named.length === 0 ? specs : named;
      return await runSpecs(broker.address, broker.jars, selected, interrupted.signal);
    } finally {
      await broker.stop();
    }
  } finally {
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  }
}

process.exitCode = await main().catch((error: unknown) => {
  write(`${error instanceof Error ? error.message : String(error)}\n`);
  return 1;
});
