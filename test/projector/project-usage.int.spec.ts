import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { openClickhouse } from '#clickhouse/clickhouse.js';
import { usageAcceptedQuarantineTopic, usageAcceptedTopic } from '#contracts/topics.js';
import { readDirtyDays } from '#postgres/publication/dirty-days.js';
import { UsageEventsReader } from '#read-models/usage-events/usage-events.reader.js';
import { armFaultPoint } from '#runtime/fault-points.js';
import { UsageProjection } from '#read-models/project-usage/project-usage.js';
import { first_version } from '../support/first-version.js';
import {
  acceptedEvent,
  cohortOf,
  daysAgo,
  openProjectorWorld,
  silent,
  type ProjectorWorld,
} from './projector-world.js';

const topic = usageAcceptedTopic.name;

async function storedEvents(world: ProjectorWorld): Promise<number> {
  const days = await new UsageEventsReader(world.clickhouse, first_version.tables).eventsPerDay();
  return days.reduce((sum, { events }) => sum + events, 0);
}

async function dirtyDays(world: ProjectorWorld): Promise<string[]> {
  const days = await readDirtyDays(world.database.manager, first_version.daysModel);
  return days.map(({ day }) => day);
}

describe('projecting accepted events', () => {
  let world: ProjectorWorld;
  let productId: string;
  beforeAll(async () => {
    world = await openProjectorWorld();
    ({ productId } = await world.addTool('alpha'));
  });
  afterAll(() => world.close());

  it('stores every event once, however often and in whatever batches it is replayed', async () => {
    await world.accept(cohortOf(productId, 120, 7));
    await world.deliverAll();
    expect(await storedEvents(world)).toBe(120);
    await world.deliverAll();
    await world.deliverAll(7);
    expect(await storedEvents(world)).toBe(120);
  });

  it('collapses two records of the same event', async () => {
    const before = await storedEvents(world);
    const event = acceptedEvent(productId, 1);
    await world.accept([event, acceptedEvent(productId, 2), event]);
    await world.accept([event]);
    await world.deliverAll();
    expect(await storedEvents(world)).toBe(before + 2);
  });

  it('moves an event whose product was registered between two deliveries', async () => {
    const before = await storedEvents(world);
    const event = acceptedEvent(productId, 4);
    await world.accept([{ ...event, productId: null }, event]);
    await world.deliverAll();
    expect(await storedEvents(world)).toBe(before + 1);
    const rows = await world.clickhouse.rows<{ product: string }>(
      `SELECT toString(product_id) AS product FROM usage_events_v1 FINAL
       WHERE event_id = {eventId:UUID}`,
      { eventId: event.eventId },
    );
    expect(rows).toEqual([{ product: productId }]);
  });

  it('stores whatever text an event has, and U+FFFD for half a surrogate pair', async () => {
    const before = await storedEvents(world);
    const unit = fc.integer({ min: 0, max: 0xffff });
    const text = fc.array(unit, { maxLength: 8 }).map((units) => String.fromCharCode(...units));
    const texts = ['\ud800', 'a\udfffb', '\u0000', "'\\t", ...fc.sample(text, 500)];
    const events = texts.map((campaignSource) => acceptedEvent(productId, 5, { campaignSource }));
    await world.accept(events);
    await world.deliverAll();
    expect(await storedEvents(world)).toBe(before + texts.length);
    const rows = await world.clickhouse.rows<{ id: string; source: string }>(
      `SELECT toString(event_id) AS id, campaign_source AS source FROM usage_events_v1 FINAL`,
    );
    const stored = new Map(rows.map(({ id, source }) => [id, source]));
    for (const { eventId, campaignSource } of events) {
      expect(stored.get(eventId)).toBe(campaignSource!.toWellFormed());
    }
  });

  it('keeps every field of an event', async () => {
    const event = acceptedEvent(productId, 3, {
      devKey: '18446744073709551615',
      account: 77,
      campaignId: 'spring "sale"',
      campaignSource: 'docs\nline',
      tokensConsumed: Number.MAX_SAFE_INTEGER,
      creditCents: 0,
    });
    await world.accept([event]);
    await world.deliverAll();
    const [row] = await world.clickhouse.rows<Record<string, unknown>>(
      `SELECT toString(dev_key) AS dev, toString(account_key) AS account, campaign_id,
              campaign_source, toString(tokens_consumed) AS tokens, toString(credit_cents) AS cents,
              latency_ms, family, evidence, toString(product_id) AS product,
              toUnixTimestamp64Milli(occurred_at) AS occurred
       FROM usage_events_v1 FINAL WHERE event_id = {id:UUID}`,
      { id: event.eventId },
    );
    expect({ ...row, occurred: Number(row?.['occurred']) }).toEqual({
      dev: '18446744073709551615',
      account: '77',
      campaign_id: 'spring "sale"',
      campaign_source: 'docs\nline',
      tokens: String(Number.MAX_SAFE_INTEGER),
      cents: '0',
      latency_ms: null,
      family: 'activation',
      evidence: 'first_party',
      product: productId,
      occurred: Date.parse(event.occurredAt),
    });
  });

  it('marks the days of its rows dirty and advances the checkpoint of each partition', async () => {
    await world.accept(
      [0, 40].map((days) => acceptedEvent(productId, 4, { occurredAt: daysAgo(days) })),
    );
    await world.deliverAll();
    expect(await dirtyDays(world)).toEqual(
      [daysAgo(40), daysAgo(0)].map((day) => day.slice(0, 10)),
    );
    const ranges = await world.log.ranges(topic);
    const checkpoints = await world.progress.checkpoints(first_version.group, topic);
    expect([...checkpoints]).toEqual(
      ranges.filter(({ high }) => high > 0n).map(({ partition, high }) => [partition, high]),
    );
  });

  it('never takes a checkpoint back when older records are delivered again', async () => {
    const before = await world.progress.checkpoints(first_version.group, topic);
    for await (const batch of world.log.read(topic, { batchRecordsMax: 1 })) {
      await world.projection.handle(batch);
      break;
    }
    expect(await world.progress.checkpoints(first_version.group, topic)).toEqual(before);
  });

  it('sets a record that it cannot read aside, untouched, and goes on', async () => {
    const before = await storedEvents(world);
    const broken = [Buffer.from('{"eventId":'), Buffer.from('{"eventId":"no uuid"}')];
    await world.log.append(
      topic,
      broken.map((value) => ({ key: 'same-key', value, headers: { ce_id: '1' } })),
    );
    await world.accept([acceptedEvent(productId, 5)]);
    const { high } = (await world.log.ranges(usageAcceptedQuarantineTopic.name))[0]!;
    expect(high).toBe(0n);
    await world.deliverAll();
    expect(await storedEvents(world)).toBe(before + 1);
    const setAside = [];
    for await (const batch of world.log.read(usageAcceptedQuarantineTopic.name)) {
      setAside.push(...batch.records);
    }
    expect(setAside.map(({ value }) => Buffer.from(value).toString())).toEqual(broken.map(String));
    expect(setAside[0]?.headers).toMatchObject({
      ce_id: '1',
      'quarantine.reason': 'undecodable',
      'quarantine.stage': 'projector',
      'quarantine.origin.topic': topic,
    });
  });
});

describe('a projector without its column store', () => {
  it('fails the batch, sets nothing aside and keeps the checkpoint', async () => {
    const world = await openProjectorWorld();
    const away = openClickhouse({ url: 'http://127.0.0.1:1', app: 'spec' });
    try {
      const limits = { sizeMax: 100, sizeEnough: 1, waitMs: 1, quarantineShareMax: 1 };
      const { log, progress } = world;
      const stores = { log, clickhouse: away, database: world.database, logger: silent };
      const projection = new UsageProjection(first_version, stores, limits);
      await world.accept([acceptedEvent(null, 1)]);
      for await (const batch of log.read(topic)) {
        await expect(projection.handle(batch)).rejects.toThrow('ECONNREFUSED');
      }
      const [quarantine] = await log.ranges(usageAcceptedQuarantineTopic.name);
      expect(quarantine?.high).toBe(0n);
      expect(await progress.checkpoints(first_version.group, topic)).toEqual(new Map());
      expect(await dirtyDays(world)).toEqual([]);
    } finally {
      await away.close();
      await world.close();
    }
  });
});

describe('a projector that dies', () => {
  let world: ProjectorWorld;
  let productId: string;
  beforeAll(async () => {
    world = await openProjectorWorld();
    ({ productId } = await world.addTool('alpha'));
  });
  afterAll(() => world.close());

  const dieOnce = (point: 'projector_after_insert' | 'projector_after_mark') => {
    let strikes = 0;
    armFaultPoint(point, () => {
      strikes += 1;
      if (strikes === 1) throw new Error('struck');
    });
  };

  it('after the insert leaves no day unmarked and no row twice in the end', async () => {
    await world.accept([acceptedEvent(productId, 1), acceptedEvent(productId, 2)]);
    dieOnce('projector_after_insert');
    await expect(world.deliverAll()).rejects.toThrow('struck');
    expect(await dirtyDays(world)).toEqual([]);
    expect(await world.progress.checkpoints(first_version.group, topic)).toEqual(new Map());
    await world.deliverAll();
    expect(await dirtyDays(world)).toHaveLength(1);
    expect(await storedEvents(world)).toBe(2);
  });

  it('after the mark is delivered the same batch again, which changes nothing', async () => {
    dieOnce('projector_after_mark');
    await expect(world.deliverAll()).rejects.toThrow('struck');
    const checkpoints = await world.progress.checkpoints(first_version.group, topic);
    await world.deliverAll();
    expect(await storedEvents(world)).toBe(2);
    const after = await world.progress.checkpoints(first_version.group, topic);
    for (const [partition, offset] of checkpoints) expect(after.get(partition)).toBe(offset);
  });
});
