import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { usageAcceptedTopic, usageReceivedTopic } from '#contracts/topics.js';
import { ClaimLedger } from '#postgres/claims/claim-ledger.js';
import { RebuildClaims } from '../../apps/ops/src/claims/rebuild-claims.js';
import { verification_limits } from '../../apps/ops/src/verification/limits.js';
import { verifyLedger } from '../../apps/ops/src/verification/verify-ledger.js';
import { verifyLog } from '../../apps/ops/src/verification/verify-log.js';
import { verifyKeptProjection } from '../../apps/ops/src/verification/verify-projection.js';
import { openVerifiedWorld, type VerifiedWorld } from './verified-world.js';

const whole = verification_limits.portion_records_max;
const claims_page = verification_limits.claims_page_max;
const silence = () => ({ show: () => undefined, end: () => undefined });

let world: VerifiedWorld;
let ledger: ClaimLedger;

beforeAll(async () => {
  world = await openVerifiedWorld();
  const { databaseUrl } = world.service.config;
  ledger = new ClaimLedger({ databaseUrl: databaseUrl!, app: 'spec', connectionsMax: 1 });
  const ids = await world.track(60);
  await world.settle();
  await world.appendReceived({ key: 'poison', value: 'no JSON at all' });
  await world.appendChanged(ids[0]!);
  await world.settle();
  // What is wrong has to be found whatever the portions are.
  await world.appendChanged(ids[1]!);
  await world.skipClerk();
  await world.database.query('delete from idempotency_claim where event_id = $1', [ids[2]]);
  await world.clickhouse.run(
    `ALTER TABLE usage_events_v1 DELETE WHERE event_id = '${ids[3]}' SETTINGS mutations_sync = 2`,
  );
});
afterAll(async () => {
  await ledger.close();
  await world.close();
});
beforeEach(() => limit(whole, claims_page));

function limit(records: number, page: number): void {
  Object.assign(verification_limits, { portion_records_max: records, claims_page_max: page });
}

async function reports() {
  const { log, database, service } = world;
  const env = { CLICKHOUSE_URL: service.config.clickhouseUrl };
  const tools = { log, database, store: service.directory, dataDir: undefined, env };
  const { portions, scattered, received, capturedAt, ...plan } = await new RebuildClaims(
    log,
    ledger,
    silence,
  ).plan();
  const verified = [
    await verifyLog(log, database, silence),
    await verifyLedger(log, database, silence),
    await verifyKeptProjection(tools, silence),
  ].map(({ counts, findings: { byKind, listed } }) => ({
    counts,
    byKind,
    found: listed.map(({ kind, eventId }) => `${kind} ${eventId}`).sort(),
  }));
  return { portions: portions.length, scattered, report: [...verified, plan] };
}

describe('a log that is looked at in many small portions', () => {
  it('gives the same answers as one that fits', async () => {
    const expected = await reports();
    const { length } = await world.log.ranges(usageReceivedTopic.name);
    expect(expected).toMatchObject({ portions: length, scattered: false });
    limit(5, 3);
    const found = await reports();
    expect(found.portions).toBeGreaterThan(2 * length);
    expect(found.report).toEqual(expected.report);
    expect(found.report).toMatchObject([
      { byKind: { contradicted: 1 } },
      { byKind: { unclaimed: 1, differs: 1 } },
      { byKind: { missing: 1 } },
      { events: 60, present: 59, missing: 1, unreadable: 1 },
    ]);
  });

  it('gives them, too, when partitions were added and ids are in two of them', async () => {
    const { report } = await reports();
    const partitions = (await world.log.ranges(usageReceivedTopic.name)).length + 3;
    await world.log.ensureTopics(
      [usageReceivedTopic, usageAcceptedTopic].map((topic) => ({ ...topic, partitions })),
    );
    limit(20, 3);
    const found = await reports();
    expect(found.scattered).toBe(true);
    expect(found.report).toEqual(report);
  });
});
