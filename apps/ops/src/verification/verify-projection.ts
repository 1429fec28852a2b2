import { openClickhouse } from '#clickhouse/clickhouse.js';
import { usageAcceptedQuarantineTopic, usageAcceptedTopic } from '#contracts/topics.js';
import { projected_fates } from '#domain/usage/projected-event.js';
import { ErasureLedger } from '#postgres/erasures/erasure-ledger.js';
import { RowPlacesReader } from '#read-models/usage-events/row-places.reader.js';
import type { Environment } from '../database-address.js';
import type { LogTools } from '../log-runner.js';
import { captureTopic, committedOf } from './captured-topic.js';
import { columnStoreUrl } from './column-store-address.js';
import { keptProjection, type KeptProjection } from './consumers.js';
import { firstPrefixOf } from './portions.js';
import { ProjectedPortion, type ProjectionCount } from './projected-portion.js';
import { scan } from './scan.js';
import { SetAsideRecords } from './set-aside.js';
import {
  Tally,
  toReport,
  walkLog,
  type StartProgress,
  type VerificationReport,
  type Walk,
} from './verification.js';

/** A portion of rows takes the column store as long as it takes to read its whole table. */
const statement_ms_max = 1_800_000;

interface ProjectionTools extends LogTools {
  readonly dataDir: string | undefined;
  readonly env: Environment;
}

/** Opens the column store and verifies the live version of the projection in it. */
export async function verifyKeptProjection(
  tools: ProjectionTools,
  startProgress: StartProgress,
): Promise<VerificationReport> {
  const projection = await keptProjection(tools.database);
  const url = await columnStoreUrl(tools.dataDir, tools.env);
  const clickhouse = openClickhouse({ url, app: 'ops', requestTimeoutMs: statement_ms_max });
  try {
    const rows = new RowPlacesReader(clickhouse, projection.tables);
    return await verifyProjection(projection, rows, tools, startProgress);
  } finally {
    await clickhouse.close();
  }
}

/**
 * Proves that the raw table holds one row for every accepted event that the projection has
 * committed, made from the newest of its records, and no row of anything else.
 *
 * The order that makes a difference a proof while the service runs: the projection's commits first
 * (it has stored what it committed), then where the log ends, then the rows. Rows that were made
 * from what came after that end are left out.
 */
async function verifyProjection(
  projection: KeptProjection,
  rows: RowPlacesReader,
  { log, database }: LogTools,
  startProgress: StartProgress,
): Promise<VerificationReport> {
  const committed = await committedOf(log, projection.group, usageAcceptedTopic.name);
  const accepted = await captureTopic(log, usageAcceptedTopic);
  const quarantine = await captureTopic(log, usageAcceptedQuarantineTopic);
  const topics = { keyed: [accepted], beside: [quarantine] };
  return walkLog(log, topics, startProgress, async (walk) => {
    const { findings } = walk;
    const tally = new Tally<ProjectionCount>([...projected_fates, ...other_counts]);
    const erasures = new ErasureLedger(database);
    for (const portion of walk.portions) {
      const { partitions, slice, slices } = portion;
      const setAside = new SetAsideRecords(accepted.name);
      await setAside.read(walk.scanOf(quarantine, portion));
      const evidence = { committed, accepted, erasures, setAside, tally, findings };
      const look = new ProjectedPortion(evidence, projection.tables.usage_events);
      await scan(walk.scanOf(accepted, portion), (record) => look.takeRecord(record));
      const from = firstPrefixOf(slice, slices)!;
      const range = { from, to: firstPrefixOf(slice + 1, slices) };
      const found = await rows.places(partitions, range);
      await erasures.refresh();
      look.settle(found);
    }
    const known = accepted.ranges.map(({ partition }) => partition);
    const elsewhere = await rows.elsewhere(known);
    if (elsewhere > 0) {
      const detail = `${elsewhere} rows name a partition that the topic does not have`;
      findings.add('unexpected', null, projection.tables.usage_events, detail);
    }
    return toReport(findings, tally.counts, statementOf(projection, tally.counts, walk));
  });
}

const other_counts = [
  'events',
  'accepted_copies',
  'records_set_aside',
  'rows_older_than_log',
  'rows_since',
] as const;

function statementOf(
  { tables }: KeptProjection,
  counts: Readonly<Record<ProjectionCount, number>>,
  walk: Walk,
): string[] {
  const accounted = projected_fates.reduce((sum, fate) => sum + counts[fate], 0);
  const terms = projected_fates.map((fate) => `${counts[fate]} ${fate.replaceAll('_', ' ')}`);
  const holds = accounted === counts.events ? '=' : '≠';
  return [
    `accepted events ${counts.events} ${holds} ${terms.join(' + ')} (${tables.usage_events})`,
    `${counts.accepted_copies} accepted records repeat an event; ` +
      `${counts.records_set_aside} were set aside by the projector.`,
    `${counts.rows_older_than_log} rows are older than the log, ` +
      `${counts.rows_since} came while this looked.`,
    `Looked at in ${walk.portions.length} portions.`,
  ];
}
