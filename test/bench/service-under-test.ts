import { openSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clerk_group } from '../../apps/ingest-worker/src/ingest-worker.js';
import {
  topics,
  topicSpecsFor,
  usageAcceptedTopic,
  usageReceivedTopic,
} from '#contracts/topics.js';
import type { EventLog } from '#event-log/event-log.js';
import { openEventLog } from '#event-log/open-event-log.js';
import { openDatabase, type Database } from '#postgres/database.js';
import { DirectoryStore } from '#postgres/organizations/directory-store.js';
import { loadConfig } from '#runtime/load-config.js';
import { createLogger } from '#runtime/logger.js';
import { Shutdown } from '#runtime/shutdown.js';
import { startBroker, type Broker } from '../kafka/broker.js';
import { startTestEngines } from '../support/engines.js';
import { eventually } from '../support/eventually.js';
import { first_version } from '../support/first-version.js';
import { registerVendor, specEnvironment } from '../support/service.js';
import { createSpecStores } from '../support/stores.js';
import type { LogName } from './bench-options.js';
import { startChild, type Child } from './child.js';
import { childrenOf, parentOf } from './cpu-time.js';
import { registerDevelopers } from './known-developers.js';

const catalogued_tools = 40;

/** Settings that differ from the default: quotas stay in force, but nobody reaches them here. */
const bench_settings = {
  LOG_LEVEL: 'info',
  RATE_LIMIT_PUBLIC_READ: '1000000000/60',
  RATE_LIMIT_TRACKING: '1000000000/60',
};

/** Process ids of everything that works when events arrive. */
export interface ServicePids {
  readonly api: number;
  readonly worker: number;
  readonly projector: number;
  /** The postmaster; its backends are its children. */
  readonly postgres: number;
  readonly clickhouse: number;
  /** The broker, where the log is Kafka. */
  readonly kafka: number | null;
}

/** The whole service on engines and stores of its own, each app in its own process. */
export interface ServiceUnderTest {
  readonly log: LogName;
  readonly baseUrl: string;
  readonly organizationKey: string;
  readonly databaseUrl: string;
  readonly database: Database;
  readonly pids: ServicePids;
  /** What the apps log, as in production; the bench removes it when nothing failed. */
  readonly logFile: string;
  /** Records that the worker and the projector have not done yet. */
  backlog(): Promise<number>;
  /**
   * Waits until there is none; the answer is how long that took, in seconds.
   * @throws Error when it takes longer, or when any event was set aside on its way.
   */
  caughtUp(withinSeconds: number): Promise<number>;
  stop(): Promise<void>;
}

export interface ServiceOptions {
  /** The embedded log, or Kafka on a broker of its own. */
  readonly log: LogName;
  /** With a folder, each app leaves its CPU profiles there when it stops. */
  readonly profileFolder: string | null;
  /** How many are registered before anything is measured. */
  readonly developers: number;
}

/** Starts everything. */
export async function startServiceUnderTest(options: ServiceOptions): Promise<ServiceUnderTest> {
  const logger = createLogger('bench', 'warn');
  const shutdown = new Shutdown(logger);
  try {
    return await startAll(options, shutdown);
  } catch (error) {
    await shutdown.stop();
    throw error;
  }
}

async function startAll(
  { log: logName, profileFolder, developers }: ServiceOptions,
  shutdown: Shutdown,
): Promise<ServiceUnderTest> {
  const broker = logName === 'kafka' ? await startBenchBroker(shutdown) : null;
  const before = new Set(await childrenOf(process.pid));
  const engines = await startTestEngines();
  shutdown.add('engines', () => engines.stop());
  process.env['UPTAKE_TEST_DATABASE_URL'] = engines.databaseUrl;
  process.env['UPTAKE_TEST_CLICKHOUSE_URL'] = engines.clickhouseUrl;
  const enginePids = (await childrenOf(process.pid)).filter((pid) => !before.has(pid));
  const { databaseUrl, clickhouseUrl } = await createSpecStores();
  const environment = {
    ...specEnvironment({ databaseUrl, clickhouseUrl }),
    ...bench_settings,
    ...(broker === null ? {} : { KAFKA_BROKERS: broker.address }),
  };
  const database = await openDatabase({ url: databaseUrl, app: 'bench' });
  shutdown.add('database', () => database.destroy());
  const postgres = await postmasterOf(database);
  const log = await openEventLog(loadConfig(environment), createLogger('bench', 'warn'));
  shutdown.add('event log', () => log.close());
  await log.ensureTopics(topicSpecsFor(log.driver));
  const { organizationKey, organizationId } = await fillDirectory(database);
  const pepper = environment.IDENTITY_PEPPER;
  await registerDevelopers(database, { pepper, organizationId, count: developers });

  const logFile = join(tmpdir(), `uptake-bench-${process.pid}-${logName}.log`);
  const apps = await startApps(environment, { logFile, profileFolder }, shutdown);
  const pids = {
    api: apps.api.pid,
    worker: apps.worker.pid,
    projector: apps.projector.pid,
    postgres,
    clickhouse: enginePids.find((pid) => pid !== postgres) ?? 0,
    kafka: broker?.pid ?? null,
  };
  return {
    log: logName,
    baseUrl: apps.api.baseUrl,
    organizationKey,
    databaseUrl,
    database,
    pids,
    logFile,
    backlog: () => backlogOf(log),
    caughtUp: async (withinSeconds) => {
      const start = performance.now();
      await eventually(
        () => backlogOf(log),
        (left) => left === 0,
        withinSeconds * 1000,
      );
      const seconds = (performance.now() - start) / 1000;
      await refuseQuarantine(log);
      return seconds;
    },
    stop: () => shutdown.stop(),
  };
}

async function startBenchBroker(shutdown: Shutdown): Promise<Broker> {
  const directory = await mkdtemp(join(tmpdir(), 'uptake-bench-kafka-'));
  shutdown.add('broker folder', () => rm(directory, { recursive: true, force: true }));
  const broker = await startBroker({ directory, version: process.env['KAFKA_VERSION'] });
  shutdown.add('broker', () => broker.stop());
  return broker;
}

async function startApps(
  environment: Readonly<Record<string, string>>,
  files: { readonly logFile: string; readonly profileFolder: string | null },
  shutdown: Shutdown,
) {
  const output = openSync(files.logFile, 'w', 0o600);
  const start = async (app: string): Promise<Child> => {
    const nodeOptions =
      files.profileFolder === null
        ? []
        : ['--cpu-prof', `--cpu-prof-dir=${join(files.profileFolder, app)}`];
    const child = await startChild('app', {
      environment: { ...environment, APP: app },
      output,
      nodeOptions,
    });
    shutdown.add(app, () => child.stop());
    return child;
  };
  return {
    projector: await start('projector'),
    worker: await start('ingest-worker'),
    api: await start('api'),
  };
}

/** One vendor, and tools enough for a page of the ranking of everyday length. */
async function fillDirectory(database: Database) {
  const directory = new DirectoryStore(database);
  const vendor = await registerVendor(directory);
  for (let tool = 1; tool < catalogued_tools; tool += 1) {
    const toolId = await directory.createTool({
      slug: `tool-${tool}`,
      name: `Tool ${tool}`,
      categorySlug: 'code-intelligence',
    });
    await directory.createProduct({
      organizationId: vendor.organizationId,
      toolId,
      slug: `tool-${tool}`,
      name: `Tool ${tool}`,
      type: 'api',
    });
  }
  return vendor;
}

/** The server process is the parent of the one that serves this connection. */
async function postmasterOf(database: Database): Promise<number> {
  const [row] = await database.query<{ pid: number }[]>('select pg_backend_pid() as pid');
  return (await parentOf(row!.pid)) ?? 0;
}

async function backlogOf(log: EventLog): Promise<number> {
  const lags = await Promise.all([
    log.lag(clerk_group, usageReceivedTopic.name),
    log.lag(first_version.group, usageAcceptedTopic.name),
  ]);
  return lags.flat().reduce((total, { lag }) => total + Number(lag), 0);
}

async function refuseQuarantine(log: EventLog): Promise<void> {
  for (const { name } of topics.filter((topic) => topic.name.endsWith('.quarantine'))) {
    const ranges = await log.ranges(name);
    const setAside = ranges.reduce((total, { high }) => total + Number(high), 0);
    if (setAside > 0) throw new Error(`${setAside} events were set aside in ${name}`);
  }
}
