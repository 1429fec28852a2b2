import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BatchLanes } from '../../apps/api/src/tracking/batches/batch-lanes.js';
import type { BatchRequest } from '../../apps/api/src/tracking/batches/batch-tracking.js';
import { credentialHash } from '#domain/credentials/credential.js';
import { openDatabase } from '#postgres/database.js';
import { createLogger } from '#runtime/logger.js';
import { eventually } from '../support/eventually.js';
import { startSpecService, type SpecService } from '../support/service.js';
import { idsOf } from '../support/tracking-events.js';

let service: SpecService;
let lanes: BatchLanes;

beforeAll(async () => {
  service = await startSpecService({ BATCH_THREADS: '1' });
  lanes = new BatchLanes(service.config, createLogger('spec', 'silent'));
  await lanes.start();
});

afterAll(async () => {
  await lanes.stop();
  await service.stop();
});

const events = (key: string, count: number) =>
  Array.from({ length: count }, (_, index) => ({
    event_name: 'API_CALL',
    developer_id: `dev-${index}`,
    product: { id: 'code-search' },
    idempotencyKey: `${key}-${index}`,
    metadata: { note: 'x'.repeat(300) },
  }));

const overHttp = (batch: readonly object[]) =>
  service.post('/api/usage/track/batch', { events: batch });

async function request(batch: readonly object[]): Promise<BatchRequest> {
  const principal = await service.directory.findPrincipal(credentialHash(service.organizationKey));
  return {
    principal: principal!,
    body: Buffer.from(JSON.stringify({ events: batch })),
    contentType: 'application/json',
    handling: 'strict',
    traceparent: null,
    requestId: 'spec',
  };
}

/** Connections of lanes to the claim ledger; a lane opens its first one for its first batch. */
async function laneConnections(): Promise<number> {
  const database = await openDatabase({ url: service.config.databaseUrl!, app: 'spec' });
  const [row] = await database.query<{ connections: string }[]>(
    `select count(*) as connections from pg_stat_activity
     where application_name = 'api-lane-claims' and datname = current_database()`,
  );
  await database.destroy();
  return Number(row?.connections);
}

describe('a batch that leaves the event loop', () => {
  it('has the same ids and verdicts as one that stays on it', async () => {
    const batch = events('both', 200);
    const before = await laneConnections();
    const large = await overHttp(batch);
    expect(await laneConnections()).toBeGreaterThan(before);
    expect(large).toMatchObject({ status: 200, body: { stored: 200 } });
    const small = await overHttp(batch.slice(0, 5));
    expect(small).toMatchObject({ status: 200, body: { stored: 0, duplicates: 5 } });
    expect(idsOf(small.body)).toEqual(idsOf(large.body).slice(0, 5));
  });

  it('is refused with the same problems', async () => {
    const batch = events('refused', 200);
    await overHttp(batch);
    const changed = await overHttp([...batch.slice(0, 199), { ...batch[199]!, source: 'x' }]);
    expect(changed).toMatchObject({
      status: 409,
      body: { code: 'idempotency_conflict', errors: [{ pointer: '/events/199' }] },
    });
    const invalid = await overHttp([...events('fresh', 199), { event_name: 'X' }]);
    expect(invalid).toMatchObject({ status: 400 });
    expect(await overHttp(events('fresh', 199))).toMatchObject({ body: { duplicates: 0 } });
  });
});

describe('more batches than a lane works on at once', () => {
  it('are all stored, each event once, though some are sent twice', async () => {
    const batches = Array.from({ length: 16 }, (_, index) => events(`crowd-${index >> 1}`, 400));
    const answers = await Promise.all(batches.map((batch) => overHttp(batch)));
    expect(answers.map(({ status }) => status)).toEqual(batches.map(() => 200));
    const counts = answers.map(({ body }) => [body['stored'], body['duplicates']] as const);
    for (let index = 0; index < counts.length; index += 2) {
      const [one, other] = [counts[index]!, counts[index + 1]!];
      expect([one[0] as number, other[0] as number].sort()).toEqual([0, 400]);
      expect([one[1] as number, other[1] as number].sort()).toEqual([0, 400]);
    }
  });
});

describe('a lane that dies', () => {
  it('leaves its batches uncertain, is replaced, and the same batch can be retried', async () => {
    const batch = events('dying', 200);
    const lost = lanes.track(await request(batch));
    await lanes['lanes'][0]!.thread.terminate();
    await expect(lost).rejects.toMatchObject({ code: 'store_uncertain' });
    await eventually(
      () => Promise.resolve(lanes.open),
      (open) => open,
    );
    const retried = await lanes.track(await request(batch));
    const { stored, duplicates } = JSON.parse(Buffer.from(retried.body).toString()) as Record<
      'stored' | 'duplicates',
      number
    >;
    expect(stored + duplicates).toBe(200);
    expect(await overHttp(batch)).toMatchObject({ status: 200, body: { duplicates: 200 } });
  });
});
