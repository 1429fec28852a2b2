import fc from 'fast-check';
import type { Clickhouse } from '#clickhouse/clickhouse.js';
import type { Cohort } from '#domain/adoption/cohort-members.js';
import { utcDay } from '#domain/adoption/period.js';
import type { CohortId, PublishedCohort } from '#domain/adoption/series.js';
import { evidence_labels } from '#domain/evidence.js';
import { rebuildDays } from '#read-models/dev-day/dev-day.rebuild.js';
import { addLifecycleDays } from '#read-models/lifecycle/lifecycle.writer.js';
import type { CohortSlots } from '#read-models/published-cohort/cohort-slots.js';
import type { SeriesName } from '#read-models/published-cohort/series-name.js';
import {
  insert_usage_events,
  toUsageEventRow,
} from '#read-models/usage-events/usage-events.projection.js';
import { acceptedEvent } from '../projector/projector-world.js';
import { first_version } from '../support/first-version.js';
import type { SeriesEvent } from './reference-counts.js';

export const day_ms = 86_400_000;
const first_day = Date.parse('2026-03-01T00:00:00Z');
export const epochs = 3;
export const fingerprint = 'this catalogue';
export const tools = [
  '0190b6f4-0000-7000-8000-00000000000a',
  '0190b6f4-0000-7000-8000-00000000000b',
];
/** The first tool has two products. */
export const products = [0, 0, 1].map((tool, index) => ({
  productId: `0190b6f4-0000-7000-8000-0000000000b${index}`,
  toolId: tools[tool]!,
}));

/** Epochs are ten days apart, so that developers leave cohorts, and come back into them. */
export const asOf = (epoch: number) => new Date(first_day + epoch * 10 * day_ms + day_ms / 2);

export interface WorldEvent extends SeriesEvent, SeriesName {
  readonly productId: string;
  /** The first epoch that knows of it; it may be late. */
  readonly arrives: number;
}

export const anyEvent = fc
  .record({
    developer: fc.integer({ min: 1, max: 5 }).map(String),
    account: fc.option(fc.integer({ min: 1, max: 3 }).map(String), { freq: 2 }),
    family: fc.constantFrom('activation', 'retention', 'retention', 'expansion', 'intent'),
    product: fc.constantFrom(...products, ...products.slice(0, 2)),
    label: fc.constantFrom('first_party', 'first_party', 'first_party', 'sample'),
    daysBefore: fc.constantFrom(0, 6, 7, 13, 14, 29, 30, 36, 37, 89, 90, 96, 97, 120),
    hour: fc.integer({ min: 0, max: 11 }),
    arrives: fc.integer({ min: 0, max: epochs - 1 }),
  })
  .map(({ product, daysBefore, hour, ...event }): WorldEvent => {
    const midnight = Date.parse(utcDay(asOf(event.arrives))) - daysBefore * day_ms;
    return { ...event, ...product, at: new Date(midnight + hour * 3_600_000) };
  });

/** Events, and which cohorts each epoch publishes and later ones forget. */
export interface World {
  readonly events: readonly WorldEvent[];
  readonly publishes: readonly boolean[];
  readonly forgets: readonly boolean[];
}

export const anyWorld: fc.Arbitrary<World> = fc.record({
  events: fc.array(anyEvent, { minLength: 40, maxLength: 120 }),
  publishes: fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }),
  forgets: fc.array(fc.boolean(), { minLength: 7, maxLength: 7 }),
});

/** Empties every table but the catalogue. */
export async function forgetEverything(clickhouse: Clickhouse): Promise<void> {
  const tables = ['usage_events_v1', 'dev_day_v1', 'lifecycle_v1', 'developer_alias_v1'];
  for (const table of [...tables, 'published_cohort', 'published_series']) {
    await clickhouse.run(`TRUNCATE TABLE ${table}`);
  }
}

/** Stores events and computes what is derived of their days. */
export async function project(
  clickhouse: Clickhouse,
  events: readonly WorldEvent[],
): Promise<void> {
  const rows = events.map(({ developer, account, family, productId, label, at }, index) =>
    toUsageEventRow(
      acceptedEvent(productId, 0, {
        devKey: developer,
        accountKey: account,
        eventFamily: family,
        evidence: label,
        occurredAt: at.toISOString(),
      }),
      { partition: 0, offset: BigInt(index) },
    ),
  );
  if (rows.length > 0) await clickhouse.insert(insert_usage_events, rows, first_version.tables);
  const days = events.map(({ at }) => utcDay(at));
  await rebuildDays(clickhouse, first_version.tables, days);
  await addLifecycleDays(clickhouse, first_version.tables, days);
}

/** A series over all epochs: what was published of it, and whom that stood for. */
export interface SeriesHistory extends SeriesName {
  published: readonly PublishedCohort[];
  slots: CohortSlots;
  readonly members: Map<CohortId, Cohort>;
}

export const figures = {
  developers: { value: 0, lower: 0, upper: 0 },
  accounts: { value: 0, lower: 0, upper: 0 },
  retained: null,
};

export function newHistories(): readonly SeriesHistory[] {
  return tools.flatMap((toolId) =>
    evidence_labels.map((label) => {
      return { toolId, label, published: [], slots: {}, members: new Map<CohortId, Cohort>() };
    }),
  );
}
