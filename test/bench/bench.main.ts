import { rm } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';
import type { BenchContext } from './bench-context.js';
import { InvalidOptionError, readOptions, usage, type RowName } from './bench-options.js';
import type { BenchRow } from './bench-row.js';
import { cpu_is_measurable } from './cpu-time.js';
import { LoadGenerator } from './load-generator.js';
import { measureBatchAccept } from './rows/batch-accept.js';
import { measureClaims } from './rows/claims.js';
import { measureLogs } from './rows/logs.js';
import { measureLatency } from './rows/latency.js';
import { measurePublication } from './rows/publication.js';
import { measurePublicRead } from './rows/public-read.js';
import { measureSingleEvent } from './rows/single-event.js';
import { measureSustained } from './rows/sustained.js';
import { measureValidation } from './rows/validation.js';
import { startServiceUnderTest } from './service-under-test.js';
import { toJson, toTable } from './table.js';

type Measure = (context: BenchContext) => Promise<readonly BenchRow[]>;

const measures: Readonly<Record<RowName, Measure>> = {
  batch: measureBatchAccept,
  single: measureSingleEvent,
  latency: measureLatency,
  validation: measureValidation,
  sustained: measureSustained,
  claims: measureClaims,
  reads: measurePublicRead,
  publication: measurePublication,
  logs: measureLogs,
};

/** Rows that send events, whose developers are to be known. */
const rows_with_events: ReadonlySet<RowName> = new Set([
  'batch',
  'single',
  'latency',
  'sustained',
  'logs',
]);

function optionsOrExit() {
  try {
    return readOptions(process.argv.slice(2));
  } catch (error) {
    if (!(error instanceof InvalidOptionError)) throw error;
    process.stderr.write(`${error.message}\n\n${usage}\n`);
    process.exit(2);
  }
}

const options = optionsOrExit();
const tell = (line: string) => process.stderr.write(`${line}\n`);
if (!cpu_is_measurable) tell('No /proc here: CPU times are not measured, and shown as –.');
const begun = performance.now();
const secondsSoFar = () => Math.round((performance.now() - begun) / 1000);
const loadBefore = loadavg()[0]!;
const sends = options.only.some((name) => rows_with_events.has(name));
if (sends) tell(`registering ${options.developers} developers …`);
const developers = sends ? options.developers : 0;
const service = await startServiceUnderTest({ ...options, developers });
const generator = await LoadGenerator.start(options.developers);
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void service.stop().finally(() => process.exit(1)));
}
const rows: BenchRow[] = [];
for (const name of options.only) {
  tell(`${secondsSoFar()} s: measuring ${name} …`);
  try {
    rows.push(...(await measures[name]({ options, service, generator })));
  } catch (error) {
    // The other rows are still worth having; the exit code says that this one failed.
    tell(`${name} failed: ${error instanceof Error ? error.stack : String(error)}`);
    process.exitCode = 1;
  }
}
await generator.stop();
await service.stop();
if (process.exitCode === 1) tell(`What the apps logged is in ${service.logFile}`);
else await rm(service.logFile, { force: true });
const about = {
  log: options.log,
  node: process.version,
  cpu: cpus()[0]?.model ?? 'unknown',
  cores: cpus().length,
  loadBefore,
  seconds: secondsSoFar(),
};
if (options.json) process.stdout.write(`${toJson(rows, about)}\n`);
else {
  process.stdout.write(`${toTable(rows)}\n`);
  const machine = `${about.log} log, Node ${about.node}, ${about.cores} × ${about.cpu}`;
  const load = `load ${loadBefore.toFixed(1)} before`;
  const windows = `${options.windows} windows of ${options.windowSeconds} s each`;
  process.stdout.write(`${machine}, ${load}; ${windows}; ${about.seconds} s in all\n`);
}
