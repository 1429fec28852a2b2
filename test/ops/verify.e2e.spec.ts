import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { usageAcceptedTopic } from '#contracts/topics.js';
import { clerk_group } from '../../apps/ingest-worker/src/ingest-worker.js';
import {
  clerk_group as verified_clerk,
  keptProjection,
} from '../../apps/ops/src/verification/consumers.js';
import { runErase } from '../privacy-stores/erase-run.js';
import { first_version } from '../support/first-version.js';
import { newEvent } from '../support/tracking-events.js';
import { openVerifiedWorld, recordOf, type VerifiedWorld } from './verified-world.js';

let world: VerifiedWorld;
let ids: readonly string[];

beforeEach(async () => {
  world = await openVerifiedWorld();
  ids = await world.track(20);
});
afterEach(() => world.close());

/** What was said to scripts, and that it was said with the exit code of a failure. */
async function found(what: string): Promise<Record<string, unknown>> {
  const { code, json, err } = await world.ops('verify', what, '--json');
  expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('not_sound') });
  expect(json).toMatchObject({ verified: expect.stringContaining(what), sound: false });
  const { byKind, listed } = json['findings'] as { byKind: object; listed: object[] };
  return { ...byKind, listed };
}

async function counts(what: string): Promise<Record<string, number>> {
  const { code, err, json } = await world.ops('verify', what, '--json');
  expect({ code, err, sound: json['sound'] }).toEqual({ code: 0, err: '', sound: true });
  return json['counts'] as Record<string, number>;
}

describe('what is verified', () => {
  it('is what clerk and projector work on', async () => {
    expect(verified_clerk).toBe(clerk_group);
    const { group, tables } = first_version;
    const kept = await keptProjection(world.database);
    expect(kept).toEqual({ group, tables });
  });
});

describe('a sound service', () => {
  it('is said to be one, with every received record accounted for', async () => {
    const [repeated, rivalled] = ids;
    await world.settle();
    const copy = await world.receivedOf(repeated!);
    await world.appendReceived({ key: repeated!, value: copy.value });
    await world.appendChanged(rivalled!);
    await world.appendReceived({ key: 'poison', value: 'no JSON at all' });
    const ada = () => world.service.post('/api/usage/track', newEvent({ developer_id: 'ada' }));
    await ada();
    await world.settle();
    await ada();
    const byId = ['--org', 'acme', '--developer-id-stdin', '--execute'];
    expect(await runErase(world.service, byId, 'ada')).toMatchObject({ code: 0 });
    await world.settle();
    const log = await world.ops('verify', 'log');
    expect(log).toMatchObject({ code: 0, err: '' });
    expect(log.out).toContain(
      'received 25 = 21 accepted + 1 duplicate + 1 superseded + 1 quarantined + 1 erased + ' +
        '0 pending + 0 outside retention',
    );
    expect(await counts('log')).toMatchObject({ received: 25, accepted: 21, accepted_copies: 1 });
    expect(await counts('ledger')).toMatchObject({
      claims: 22,
      claims_in_log: 22,
      agrees: 23,
      superseded: 1,
      unreadable: 1,
    });
    expect(await counts('projection')).toMatchObject({ events: 21, stored: 20, erased: 1 });
  });

  it('may be behind: what the clerk and the projector have not read is pending', async () => {
    expect(await counts('log')).toMatchObject({ received: 20, accepted: 0, pending: 20 });
    expect(await counts('ledger')).toMatchObject({ claims: 20, claims_in_log: 20, agrees: 20 });
    await world.settle();
    await world.log.append(usageAcceptedTopic.name, [
      await recordOf(world.log, usageAcceptedTopic.name, ids[0]!),
    ]);
    const [late] = await world.track(1);
    await world.appendChanged(late!);
    expect(await counts('log')).toMatchObject({ accepted: 20, accepted_copies: 1, pending: 2 });
    expect(await counts('ledger')).toMatchObject({ claims: 21, agrees: 21, pending: 1 });
    expect(await counts('projection')).toMatchObject({ stored: 20, accepted_copies: 1 });
  });
});

describe('verify log', () => {
  it('finds an accepted record that was never received', async () => {
    await world.settle();
    const forged = randomUUID();
    const { value } = await recordOf(world.log, usageAcceptedTopic.name, ids[0]!);
    const body = Buffer.from(value).toString().replace(ids[0]!, forged);
    await world.log.append(usageAcceptedTopic.name, [{ key: forged, value: body }]);
    const { listed, ...kinds } = await found('log');
    expect(kinds).toEqual({ unfounded: 1 });
    expect(listed).toMatchObject([{ eventId: forged, where: expect.stringContaining('accepted') }]);
  });

  it('finds a received record that the clerk has passed over', async () => {
    await world.settle();
    const lost = randomUUID();
    const { value } = await world.receivedOf(ids[0]!);
    const body = Buffer.from(value).toString().replace(ids[0]!, lost);
    await world.appendReceived({ key: lost, value: body });
    expect(await counts('log')).toMatchObject({ pending: 1 });
    await world.skipClerk();
    const { out, code } = await world.ops('verify', 'log');
    expect(code).toBe(1);
    expect(out).toContain('received 21 ≠ 20 accepted');
    expect(out).toMatch(new RegExp(`lost +usage.received.v1/\\d+/\\d+ +${lost}`));
    expect(await found('ledger')).toMatchObject({ unclaimed: 1 });
  });

  it('finds another content of an accepted event that nobody has set aside', async () => {
    await world.settle();
    await world.appendChanged(ids[3]!);
    await world.skipClerk();
    expect(await found('log')).toMatchObject({ contradicted: 1, listed: [{ eventId: ids[3] }] });
    expect(await found('ledger')).toMatchObject({ differs: 1, listed: [{ eventId: ids[3] }] });
  });

  it('finds a record whose key is not its event id', async () => {
    await world.settle();
    const { value } = await world.receivedOf(ids[0]!);
    await world.appendReceived({ key: randomUUID(), value });
    expect(await found('log')).toMatchObject({ misplaced: 1, listed: [{ eventId: ids[0] }] });
  });
});

describe('verify ledger', () => {
  it('finds a claim that is gone, one that says something else, and one of no event', async () => {
    await world.settle();
    const { database } = world;
    const [gone, changed, ...others] = ids;
    await database.query('delete from idempotency_claim where event_id = $1', [gone]);
    await database.query(
      `update idempotency_claim set payload_hash = decode(repeat('00', 32), 'hex')
       where event_id = $1`,
      [changed],
    );
    const invented = randomUUID();
    await database.query(
      `insert into idempotency_claim select $1::uuid, organization_id, payload_hash, field_hashes,
         received_at from idempotency_claim where event_id = $2`,
      [invented, others[0]],
    );
    const { listed, ...kinds } = await found('ledger');
    expect(kinds).toEqual({ unclaimed: 1, differs: 1, not_in_log: 2 });
    expect((listed as { eventId: string }[]).map(({ eventId }) => eventId).sort()).toEqual(
      [gone, changed, changed, invented].sort(),
    );
    expect(await counts('log')).toMatchObject({ accepted: 20 });
  });
});

describe('verify projection', () => {
  const rowOf = (eventId: string, change: string) =>
    world.clickhouse.run(
      `INSERT INTO usage_events_v1 SELECT * REPLACE(${change})
       FROM (SELECT * FROM usage_events_v1 WHERE event_id = '${eventId}')`,
    );

  it('finds a row that is gone', async () => {
    await world.settle();
    await world.clickhouse.run(
      `ALTER TABLE usage_events_v1 DELETE WHERE event_id = '${ids[0]}'
       SETTINGS mutations_sync = 2`,
    );
    expect(await found('projection')).toMatchObject({
      missing: 1,
      listed: [{ eventId: ids[0], where: expect.stringContaining('usage.accepted.v1/') }],
    });
  });

  it('finds rows of no event, of another record, and twice of one event', async () => {
    await world.settle();
    const invented = randomUUID();
    await rowOf(ids[0]!, `toUUID('${invented}') AS event_id`);
    const elsewhere = `log_partition !=
      (SELECT log_partition FROM usage_events_v1 WHERE event_id = '${ids[1]}')`;
    const taken = (column: string) =>
      `(SELECT ${column} FROM usage_events_v1 WHERE ${elsewhere} ORDER BY event_id LIMIT 1)
       AS ${column}`;
    await rowOf(
      ids[1]!,
      `row_version + 1000 AS row_version, ${taken('log_partition')}, ${taken('log_offset')}`,
    );
    await rowOf(ids[2]!, 'occurred_at - INTERVAL 40 DAY AS occurred_at');
    const { listed, ...kinds } = await found('projection');
    expect(kinds).toEqual({ unexpected: 2, doubled: 1, missing: 1 });
    expect(listed).toContainEqual(expect.objectContaining({ eventId: invented }));
  });

  it('refuses a projection that does not exist', async () => {
    expect((await world.ops('verify', 'projection', 'nothing')).code).toBe(2);
  });
});
