import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openClickhouse } from '#clickhouse/clickhouse.js';
import { applyTables } from '#clickhouse/tables.js';
import { startClickHouse } from '#embedded-engines/clickhouse/embedded-clickhouse.js';
import { startPostgres } from '#embedded-engines/postgres/embedded-postgres.js';
import { openDatabase, type Database } from '#postgres/database.js';
import { DirectoryStore } from '#postgres/organizations/directory-store.js';
import { PublicationStore } from '#postgres/publication/publication-store.js';
import { publicationPolicyOf } from '#domain/adoption/policy.js';
import { utcDay } from '#domain/adoption/period.js';
import { readModelTables } from '#read-models/tables.js';
import { UptakeConfig } from '#runtime/config.js';
import { Publisher } from '../../../apps/projector/src/publication/publisher.js';
import { first_version } from '../../support/first-version.js';
import { tellParent } from '../child-messages.js';
import { secondsOf } from '../cpu-time.js';
import { PeakMemory } from '../memory.js';
import type { MeasuredEpoch, PublicationPlan } from '../rows/publication.js';
import { generateUsage } from '../usage-world.js';

const day_ms = 86_400_000;
const products = 200;
/** The widest window, and the week before it that retention looks back on. */
const history_days = 100;
const events_per_developer = 20;
const seed = 5;
const log = (): void => undefined;

/** Epochs of consecutive days over a world of its own, each with the days that became dirty. */
async function measure({ events, epochs }: PublicationPlan): Promise<readonly MeasuredEpoch[]> {
  const folder = await mkdtemp(join(tmpdir(), 'uptake-publication-'));
  const postgres = await startPostgres({ directory: join(folder, 'postgres'), log });
  const database = await openDatabase({ url: postgres.url, app: 'bench' });
  try {
    const lastDay = Date.now() - (Date.now() % day_ms);
    const firstAsOf = lastDay - (epochs - 1) * day_ms;
    const directory = join(folder, 'clickhouse');
    await generate(directory, await fillDirectory(database), {
      events,
      developers: Math.ceil(events / events_per_developer),
      products,
      lastDay: utcDay(new Date(lastDay)),
      days: history_days + epochs - 1,
      seed,
    });
    const measured: MeasuredEpoch[] = [];
    // Another process than the one that made the events: its memory is what publishing needs.
    const clickhouse = await startClickHouse({ directory, log });
    try {
      for (let epoch = 0; epoch < epochs; epoch += 1) {
        const asOf = new Date(firstAsOf + epoch * day_ms + day_ms / 2);
        await markDirty(database, asOf, epoch === 0 ? history_days : 1);
        measured.push(await publish(database, clickhouse, asOf));
      }
    } finally {
      await clickhouse.stop();
    }
    return measured;
  } finally {
    await database.destroy();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function fillDirectory(database: Database): Promise<readonly string[]> {
  const directory = new DirectoryStore(database);
  const organizationId = await directory.createOrganization({ slug: 'acme', name: 'Acme' });
  const ids: string[] = [];
  for (let index = 0; index < products; index += 1) {
    const [slug, name] = [`tool-${index}`, `Tool ${index}`];
    const toolId = await directory.createTool({ slug, name, categorySlug: 'agents' });
    const product = { organizationId, toolId, slug, name, type: 'api' };
    ids.push(await directory.createProduct(product));
  }
  return ids;
}

async function generate(
  directory: string,
  productIds: readonly string[],
  world: Parameters<typeof generateUsage>[1],
): Promise<void> {
  const engine = await startClickHouse({ directory, log });
  const columnStore = { url: engine.url, app: 'bench' };
  await applyTables(columnStore, readModelTables(first_version));
  const clickhouse = openClickhouse(columnStore);
  try {
    await generateUsage(clickhouse, world, productIds);
  } finally {
    await clickhouse.close();
    await engine.stop();
  }
}

async function markDirty(database: Database, asOf: Date, days: number): Promise<void> {
  await database.query(
    `insert into dirty_day (read_model, day)
     select $1, $2::date - n from generate_series(0, $3::int - 1) n
     on conflict do nothing`,
    [first_version.daysModel, utcDay(asOf), days],
  );
}

async function publish(
  database: Database,
  engine: { readonly url: string; readonly pid: number },
  asOf: Date,
): Promise<MeasuredEpoch> {
  const clickhouse = openClickhouse({ url: engine.url, app: 'bench' });
  const policy = publicationPolicyOf(new UptakeConfig());
  const terms = { policy, intervalMs: 1 };
  const publisher = new Publisher(new PublicationStore(database), clickhouse, terms, () => asOf);
  const memory = new PeakMemory([process.pid, engine.pid]);
  const cpuBefore = (await secondsOf(process.pid)) + (await secondsOf(engine.pid));
  const begun = performance.now();
  memory.start();
  const outcome = await publisher.publish();
  const seconds = (performance.now() - begun) / 1000;
  const peakBytes = await memory.stop();
  const cpu = (await secondsOf(process.pid)) + (await secondsOf(engine.pid)) - cpuBefore;
  await clickhouse.close();
  if (outcome.kind !== 'published') throw new Error(`No epoch was published: ${outcome.kind}`);
  const [row] = await database.query<{ epoch: string }[]>(
    'select max(epoch) as epoch from published_epoch',
  );
  return { epoch: Number(row!.epoch), days: outcome.days, seconds, cpuSeconds: cpu, peakBytes };
}

process.on('message', (plan: PublicationPlan) => {
  measure(plan).then(tellParent, (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    process.exit(1);
  });
});
process.once('disconnect', () => process.exit(0));
tellParent({ baseUrl: null });
