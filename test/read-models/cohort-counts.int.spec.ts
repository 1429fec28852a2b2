import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { openClickhouse, type Clickhouse } from '#clickhouse/clickhouse.js';
import { applyTables } from '#clickhouse/tables.js';
import { cohortDifference, type Cohort } from '#domain/adoption/cohort-members.js';
import { nobody } from '#domain/adoption/cohort-facts.js';
import { areCompared, type CohortPair } from '#domain/adoption/pairs-to-compare.js';
import { adoption_periods, utcDay } from '#domain/adoption/period.js';
import {
  cohortId,
  cohort_parts,
  type CohortId,
  type PublishedCohort,
} from '#domain/adoption/series.js';
import { evidence_labels } from '#domain/evidence.js';
import { writeCatalogueProducts } from '#read-models/catalogue/catalogue-product.writer.js';
import { rebuildDays } from '#read-models/dev-day/dev-day.rebuild.js';
import { addLifecycleDays, rebuildLifecycle } from '#read-models/lifecycle/lifecycle.writer.js';
import { readCandidates } from '#read-models/published-cohort/candidate-facts.reader.js';
import { writeCandidateLinks } from '#read-models/published-cohort/candidate-links.writer.js';
import { CohortDifferencesReader } from '#read-models/published-cohort/cohort-differences.reader.js';
import { changeSlots, type CohortSlots } from '#read-models/published-cohort/cohort-slots.js';
import { writePublishedSeries } from '#read-models/published-cohort/published-series.js';
import { seriesKey, type SeriesName } from '#read-models/published-cohort/series-name.js';
import { read_model_tables } from '#read-models/tables.js';
import {
  insert_usage_events,
  toUsageEventRow,
} from '#read-models/usage-events/usage-events.projection.js';
import { acceptedEvent } from '../projector/projector-world.js';
import { createSpecStores, type SpecStores } from '../support/stores.js';
import { referenceCohorts, type ReferenceCohort, type SeriesEvent } from './reference-counts.js';

const day_ms = 86_400_000;
const first_day = Date.parse('2026-03-01T00:00:00Z');
const epochs = 3;
const fingerprint = 'this catalogue';
const tools = ['0190b6f4-0000-7000-8000-00000000000a', '0190b6f4-0000-7000-8000-00000000000b'];
/** The first tool has two products. */
const products = [0, 0, 1].map((tool, index) => ({
  productId: `0190b6f4-0000-7000-8000-0000000000b${index}`,
  toolId: tools[tool]!,
}));

/** Epochs are ten days apart, so that developers leave cohorts, and come back into them. */
const asOf = (epoch: number) => new Date(first_day + epoch * 10 * day_ms + day_ms / 2);

interface WorldEvent extends SeriesEvent, SeriesName {
  readonly productId: string;
  /** The first epoch that knows of it; it may be late. */
  readonly arrives: number;
}

const anyEvent = fc
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
interface World {
  readonly events: readonly WorldEvent[];
  readonly publishes: readonly boolean[];
  readonly forgets: readonly boolean[];
}

const anyWorld: fc.Arbitrary<World> = fc.record({
  events: fc.array(anyEvent, { minLength: 40, maxLength: 120 }),
  publishes: fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }),
  forgets: fc.array(fc.boolean(), { minLength: 7, maxLength: 7 }),
});

let stores: SpecStores;
let clickhouse: Clickhouse;

beforeAll(async () => {
  stores = await createSpecStores();
  const columnStore = { url: stores.clickhouseUrl, app: 'spec' };
  await applyTables(columnStore, read_model_tables);
  clickhouse = openClickhouse(columnStore);
  await writeCatalogueProducts(clickhouse, fingerprint, products);
});
afterAll(async () => {
  await clickhouse.close();
  await stores.drop();
});

async function forgetEverything(): Promise<void> {
  const tables = ['usage_events_v1', 'dev_day_v1', 'lifecycle_v1'];
  for (const table of [...tables, 'published_cohort', 'published_series']) {
    await clickhouse.run(`TRUNCATE TABLE ${table}`);
  }
}

async function project(events: readonly WorldEvent[]): Promise<void> {
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
  if (rows.length > 0) await clickhouse.insert(insert_usage_events, rows);
  const days = events.map(({ at }) => utcDay(at));
  await rebuildDays(clickhouse, days);
  await addLifecycleDays(clickhouse, days);
}

/** A series over all epochs: what was published of it, and whom that stood for. */
interface SeriesHistory extends SeriesName {
  published: readonly PublishedCohort[];
  slots: CohortSlots;
  readonly members: Map<CohortId, Cohort>;
}

const figures = {
  developers: { value: 0, lower: 0, upper: 0 },
  accounts: { value: 0, lower: 0, upper: 0 },
  retained: null,
};

function newHistories(): readonly SeriesHistory[] {
  return tools.flatMap((toolId) =>
    evidence_labels.map((label) => {
      return { toolId, label, published: [], slots: {}, members: new Map<CohortId, Cohort>() };
    }),
  );
}

/** One epoch in the column store, compared with the definitions; then some of it is published. */
async function expectEpoch(
  epoch: number,
  attempts: { readonly previous: string | null; readonly attempt: string },
  { events, publishes, forgets }: World,
  histories: readonly SeriesHistory[],
): Promise<void> {
  const { attempt } = attempts;
  const packs = await writeCandidateLinks(clickhouse, {
    ...attempts,
    asOf: asOf(epoch),
    fingerprint,
    tools,
  });
  const reference = new Map(
    histories.map((history) => [seriesKey(history), cohortsKnown(history, events, epoch)]),
  );
  const counted = new Map(
    (await readCandidates(clickhouse, attempt, packs.flat())).map((one) => [seriesKey(one), one]),
  );
  for (const [key, cohorts] of reference) {
    expect(counted.get(key)?.candidates ?? []).toEqual(cohorts.map(({ facts }) => facts));
  }
  const placed = histories.map((history) => ({
    ...history,
    epoch,
    pairs: allPairs(epoch, history, reference.get(seriesKey(history))!),
  }));
  const reader = new CohortDifferencesReader(clickhouse, attempt);
  const differences = await reader.differences(placed);
  for (const series of placed) {
    for (const cohort of reference.get(seriesKey(series))!) {
      series.members.set(withId(epoch, cohort.facts).id, cohort.members);
    }
    const expected = series.pairs.map((pair) => ({
      ...pair,
      facts: cohortDifference(series.members.get(pair.candidate)!, series.members.get(pair.other)!),
    }));
    const byPair = (a: { candidate: string; other: string }, b: typeof a) =>
      `${a.candidate} ${a.other}` < `${b.candidate} ${b.other}` ? -1 : 1;
    const actual = differences.get(seriesKey(series))!;
    expect(actual.toSorted(byPair)).toEqual(expected.toSorted(byPair));
  }
  await writePublishedSeries(
    clickhouse,
    attempt,
    histories.map((history) => {
      const kept = history.published.filter((_, index) => !forgets[index % forgets.length]);
      const added = publishedNow(epoch, reference.get(seriesKey(history))!, publishes);
      history.published = [...kept, ...added];
      const change = changeSlots(history.slots, history.published);
      history.slots = change.slots;
      const { toolId, label, published } = history;
      return { toolId, label, state: { policy: '', published, shown: [] }, change };
    }),
  );
}

function cohortsKnown(
  series: SeriesName,
  events: readonly WorldEvent[],
  epoch: number,
): ReferenceCohort[] {
  const own = events.filter((event) => {
    return event.arrives <= epoch && seriesKey(event) === seriesKey(series);
  });
  return referenceCohorts(own, asOf(epoch));
}

/** More than the policy asks for: whatever the sizes. */
function allPairs(
  epoch: number,
  { published }: SeriesHistory,
  cohorts: readonly ReferenceCohort[],
): CohortPair[] {
  const fresh = cohorts.map(({ facts: { period, part } }) => withId(epoch, { period, part }));
  return fresh.flatMap((one, index) =>
    [...published, ...fresh.slice(0, index)]
      .filter((other) => areCompared(one, other))
      .map((other) => ({ candidate: one.id, other: other.id })),
  );
}

function withId<Cell extends Pick<PublishedCohort, 'period' | 'part'>>(epoch: number, cell: Cell) {
  return { ...cell, id: cohortId(epoch, cell.period, cell.part) };
}

function publishedNow(
  epoch: number,
  cohorts: readonly ReferenceCohort[],
  publishes: readonly boolean[],
): PublishedCohort[] {
  return cohorts
    .map(({ facts }) => facts)
    .filter(({ period, part }) => {
      const cell = adoption_periods.indexOf(period) * cohort_parts.length;
      return publishes[cell + cohort_parts.indexOf(part)];
    })
    .map(({ period, part }) => ({
      ...withId(epoch, { period, part }),
      facts: nobody,
      figures,
      shownUntil: epoch,
    }));
}

describe('for every world, the column store counts as the definitions say', () => {
  it('candidates, their rests, and what sets them apart from every published cohort', async () => {
    await fc.assert(
      fc.asyncProperty(anyWorld, async (world) => {
        await forgetEverything();
        const histories = newHistories();
        let previous: string | null = null;
        for (let epoch = 0; epoch < epochs; epoch += 1) {
          await project(world.events.filter(({ arrives }) => arrives === epoch));
          const attempt = randomUUID();
          await expectEpoch(epoch, { previous, attempt }, world, histories);
          previous = attempt;
        }
      }),
      { numRuns: 6 },
    );
  });

  it('the same lifecycle from days one by one as from all of them at once', async () => {
    const lifecycle = () =>
      clickhouse.rows(
        `SELECT product_id, evidence, dev_key, account_key,
                min(first_activation) AS first, max(last_retained) AS last
         FROM lifecycle_v1 GROUP BY ALL ORDER BY ALL`,
      );
    await fc.assert(
      fc.asyncProperty(fc.array(anyEvent, { minLength: 1 }), async (events) => {
        await forgetEverything();
        for (const event of events) await project([event]);
        const gathered = await lifecycle();
        await rebuildLifecycle(clickhouse);
        expect(await lifecycle()).toEqual(gathered);
      }),
      { numRuns: 3 },
    );
  });
});
