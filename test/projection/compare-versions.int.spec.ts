import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { UsageAccepted } from '#contracts/messages/usage-accepted.js';
import {
  adoptionVersion,
  type AdoptionVersion,
} from '#read-models/adoption-version/adoption-version.js';
import { createAdoptionTables } from '#read-models/adoption-version/stored-versions.js';
import { compareEvents, type DayDifferences } from '#read-models/rebuild/compare-days.js';
import {
  insert_usage_events,
  toUsageEventRow,
} from '#read-models/usage-events/usage-events.projection.js';
import {
  acceptedEvent,
  openProjectorWorld,
  type ProjectorWorld,
} from '../projector/projector-world.js';
import { first_version } from '../support/first-version.js';

const second = adoptionVersion(2);
const days = ['2026-03-01', '2026-03-02'];
const products = [0, 1].map((index) => `0190b6f4-0000-7000-8000-0000000000b${index}`);
let world: ProjectorWorld;

beforeAll(async () => {
  world = await openProjectorWorld();
  await createAdoptionTables(world.clickhouse, second.tables);
});
afterAll(() => world.close());

/** A copy of an event: where it stands in the log, and what it says. */
interface Copy {
  readonly offset: number;
  readonly product: number;
  readonly latency: number | null;
}

interface Case {
  readonly partition: number;
  readonly day: number;
  readonly live: Copy | null;
  readonly other: Copy | null;
}

const copy: fc.Arbitrary<Copy> = fc.record({
  offset: fc.integer({ min: 0, max: 9 }),
  product: fc.constantFrom(0, 0, 0, 1),
  latency: fc.constantFrom(null, 0, 0, 7),
});
const maybe: fc.Arbitrary<Copy | null> = fc.option(copy);
const pair: fc.Arbitrary<readonly [Copy | null, Copy | null]> = fc.oneof(
  { weight: 3, arbitrary: copy.map((both) => [both, both] as const) },
  { weight: 1, arbitrary: fc.tuple(maybe, maybe) },
);
const anyCase: fc.Arbitrary<Case> = fc
  .record({ partition: fc.integer({ min: 0, max: 2 }), day: fc.integer({ min: 0, max: 1 }), pair })
  .map(({ pair: [live, other], ...place }) => ({ ...place, live, other }));
const anyVector = fc.array(fc.integer({ min: 0, max: 10 }), { minLength: 3, maxLength: 3 });

const eventId = (index: number) => `0190b6f4-0000-7000-8000-${String(index).padStart(12, '0')}`;

const messageOf = (index: number, { day }: Case, { product, latency }: Copy): UsageAccepted =>
  acceptedEvent(products[product]!, index, {
    eventId: eventId(index),
    occurredAt: `${days[day]!}T12:00:00.000Z`,
    receivedAt: `${days[day]!}T12:00:01.000Z`,
    latencyMs: latency,
  });

/** What a comparison has to say of an event, in the words of its specification. */
function judge({ partition, live, other }: Case, liveNext: number[], otherNext: number[]) {
  const same =
    live?.product === other?.product && live?.latency === other?.latency && !live === !other;
  if (same) return 'same';
  const liveIsNewer = live !== null && (other === null || live.offset > other.offset);
  const otherIsNewer = other !== null && (live === null || other.offset > live.offset);
  if (liveIsNewer && live.offset >= otherNext[partition]!) return 'pending';
  if (otherIsNewer && other.offset >= liveNext[partition]!) return 'pending';
  return other === null ? 'missing' : live === null ? 'unexpected' : 'changed';
}

const vectorOf = (offsets: number[]) =>
  new Map(offsets.map((next, partition) => [partition, BigInt(next)]));

async function fill(version: AdoptionVersion, cases: readonly Case[], side: 'live' | 'other') {
  await world.clickhouse.run(`TRUNCATE TABLE ${version.tables.usage_events}`);
  const rows = cases.flatMap((one, index) => {
    const stored = one[side];
    if (stored === null) return [];
    const place = { partition: one.partition, offset: BigInt(stored.offset) };
    return [toUsageEventRow(messageOf(index, one, stored), place)];
  });
  if (rows.length > 0) await world.clickhouse.insert(insert_usage_events, rows, version.tables);
}

async function compare(
  cases: readonly Case[],
  liveNext: number[],
  otherNext: number[],
): Promise<DayDifferences> {
  await fill(first_version, cases, 'live');
  await fill(second, cases, 'other');
  const next = { liveNext: vectorOf(liveNext), otherNext: vectorOf(otherNext) };
  return compareEvents(world.clickhouse, { live: first_version, other: second, ...next }, days);
}

describe('a comparison of two versions', () => {
  it('names every key that differs, and none that is only on its way', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyCase, { minLength: 1, maxLength: 25 }),
        anyVector,
        anyVector,
        async (cases, liveNext, otherNext) => {
          const verdicts = cases.map((one) => judge(one, liveNext, otherNext));
          const found = await compare(cases, liveNext, otherNext);
          const expected = verdicts
            .map((kind, index) => ({
              kind: String(kind),
              key: eventId(index),
              day: days[cases[index]!.day]!,
            }))
            .filter(({ kind }) => kind !== 'same' && kind !== 'pending');
          expect(found.pending).toBe(verdicts.filter((kind) => kind === 'pending').length);
          expect(found.differences).toBe(expected.length);
          const named = found.keys.map(({ kind, key, day }) => ({ kind, key, day }));
          const byKey = (one: { key: string }, two: { key: string }) =>
            one.key < two.key ? -1 : 1;
          expect(named.sort(byKey)).toEqual(expected.sort(byKey));
        },
      ),
      { numRuns: 40 },
    );
  });

  it('sees a number that is not given where the other version has a zero', async () => {
    const at = { offset: 1, product: 0 };
    const cases: Case[] = [
      { partition: 0, day: 0, live: { ...at, latency: null }, other: { ...at, latency: 0 } },
      { partition: 0, day: 0, live: { ...at, latency: 7 }, other: { ...at, latency: 7 } },
    ];
    const found = await compare(cases, [9, 9, 9], [9, 9, 9]);
    expect(found).toMatchObject({ pending: 0, differences: 1, keys: [{ key: eventId(0) }] });
  });
});
