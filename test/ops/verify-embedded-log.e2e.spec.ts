import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { UsageReceived } from '#contracts/messages/usage-received.js';
import { usageAcceptedTopic, usageReceivedTopic } from '#contracts/topics.js';
import { bodyOf, openVerifiedWorld, type VerifiedWorld } from './verified-world.js';

// What no log would do by itself is done to the tables of the embedded one.
let world: VerifiedWorld;
let ids: readonly string[];

beforeEach(async () => {
  world = await openVerifiedWorld('embedded');
  ids = await world.track(20);
  await world.settle();
});
afterEach(() => world.close());

const topicIs = '(select topic_id from event_log.topic where name = $1)';

/** Removes the records that a topic has now, as if they had expired. */
const expire = (topic: string) =>
  world.database.query(
    `with gone as (
       delete from event_log.batch where topic_id = ${topicIs}
       returning topic_id, partition, last_offset)
     update event_log.partition p set low_offset = last + 1
     from (select topic_id, partition, max(last_offset) as last from gone group by 1, 2) g
     where g.topic_id = p.topic_id and g.partition = p.partition`,
    [topic],
  );

async function verified(what: string) {
  const { code, json } = await world.ops('verify', what, '--json');
  return { code, ...json };
}

describe('verify log', () => {
  it('finds times that go back', async () => {
    await world.track(20);
    await world.database.query(
      `update event_log.batch set appended_at = appended_at - interval '1 hour'
       where base_offset > 0 and topic_id = ${topicIs}`,
      [usageReceivedTopic.name],
    );
    expect(await verified('log')).toMatchObject({
      code: 1,
      findings: { byKind: { time_went_back: expect.any(Number) } },
    });
  });

  it('says where it cannot be read on', async () => {
    await world.track(20);
    await world.database.query(
      `delete from event_log.batch where base_offset = 0 and topic_id = ${topicIs}`,
      [usageReceivedTopic.name],
    );
    const { code, err } = await world.ops('verify', 'log');
    expect(code).toBe(1);
    expect(err).toContain('The log is unreadable, beginning at usage.received.v1/0/0: ');
  });
});

describe('a log from which retention has removed records', () => {
  it.each([
    ['received', usageReceivedTopic.name, { accepted_outside_retention: 20 }],
    ['accepted', usageAcceptedTopic.name, { outside_retention: 20 }],
  ])('is not taken for a loss when it was %s records', async (_what, topic, expected) => {
    await expire(topic);
    await world.track(60);
    await world.settle();
    const counts = { accepted: 60, ...expected };
    expect(await verified('log')).toMatchObject({ code: 0, sound: true, counts });
    expect(await verified('ledger')).toMatchObject({ code: 0, counts: { claims: 80 } });
    expect(await verified('projection')).toMatchObject({ code: 0, sound: true });
  });

  it('still proves when an event was received first: its accepted copy says so', async () => {
    const claims = () => world.database.query<object[]>('select * from idempotency_claim');
    const [id] = ids;
    const first = bodyOf<UsageReceived>(await world.receivedOf(id!));
    await expire(usageReceivedTopic.name);
    const later = { ...first, receivedAt: new Date().toISOString() };
    await world.appendReceived({ key: id!, value: JSON.stringify(later) });
    await world.database.query('delete from idempotency_claim where event_id <> $1', [id]);
    const before = await claims();
    await world.database.query('truncate idempotency_claim');
    const { code } = await world.ops('claims', 'rebuild', '--execute');
    expect([code, await claims()]).toEqual([0, before]);
  });
});
