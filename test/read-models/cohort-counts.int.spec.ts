import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { openClickhouse, type Clickhouse } from '#clickhouse/clickhouse.js';
import { applyTables } from '#clickhouse/tables.js';
import { cohortDifference } from '#domain/adoption/cohort-members.js';
import { nobody } from '#domain/adoption/cohort-facts.js';
import { areCompared, type CohortPair } from '#domain/adoption/pairs-to-compare.js';
import { adoption_periods } from '#domain/adoption/period.js';
import { cohortId, cohort_parts, type PublishedCohort } from '#domain/adoption/series.js';
import { writeCatalogueProducts } from '#read-models/catalogue/catalogue-product.writer.js';
import { DeveloperAliasWriter } from '#read-models/developer-alias/developer-alias.writer.js';
import { rebuildLifecycle } from '#read-models/lifecycle/lifecycle.writer.js';
import { readCandidates } from '#read-models/published-cohort/candidate-facts.reader.js';
import { writeCandidateLinks } from '#read-models/published-cohort/candidate-links.writer.js';
import { CohortDifferencesReader } from '#read-models/published-cohort/cohort-differences.reader.js';
import { changeSlots } from '#read-models/published-cohort/cohort-slots.js';
import { writePublishedSeries } from '#read-models/published-cohort/published-series.js';
import { seriesKey, type SeriesName } from '#read-models/published-cohort/series-name.js';
import { readModelTables } from '#read-models/tables.js';
import { first_version } from '../support/first-version.js';
import { createSpecStores, type SpecStores } from '../support/stores.js';
import {
  anyEvent,
  anyWorld,
  asOf,
  day_ms,
  epochs,
  figures,
  fingerprint,
  forgetEverything,
  newHistories,
  products,
  project,
  tools,
  type SeriesHistory,
  type World,
  type WorldEvent,
} from './cohort-world.js';
import { referenceCohorts, type ReferenceCohort } from './reference-counts.js';

let stores: SpecStores;
let clickhouse: Clickhouse;

beforeAll(async () => {
  stores = await createSpecStores();
  const columnStore = { url: stores.clickhouseUrl, app: 'spec' };
  await applyTables(columnStore, readModelTables(first_version));
  clickhouse = openClickhouse(columnStore);
  await writeCatalogueProducts(clickhouse, fingerprint, products);
});
afterAll(async () => {
  await clickhouse.close();
  await stores.drop();
});

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
    tables: first_version.tables,
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
        await forgetEverything(clickhouse);
        const histories = newHistories();
        let previous: string | null = null;
        for (let epoch = 0; epoch < epochs; epoch += 1) {
          await project(
            clickhouse,
            world.events.filter(({ arrives }) => arrives === epoch),
          );
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
        await forgetEverything(clickhouse);
        for (const event of events) await project(clickhouse, [event]);
        const gathered = await lifecycle();
        await rebuildLifecycle(clickhouse, first_version.tables);
        expect(await lifecycle()).toEqual(gathered);
      }),
      { numRuns: 3 },
    );
  });

  it('linked keys as one developer, in cohorts that were published before as well', async () => {
    await forgetEverything(clickhouse);
    const history = newHistories()[0]!;
    const useOf = (developer: string, daysBefore: number): WorldEvent => ({
      ...products[0]!,
      developer,
      account: developer === '1' ? '7' : null,
      family: 'activation',
      label: 'first_party',
      at: new Date(asOf(0).getTime() - daysBefore * day_ms),
      arrives: 0,
    });
    const days = { '1': [20, 2], '2': [30, 1], '3': [1] };
    const events = Object.entries(days).flatMap(([developer, list]) =>
      list.map((daysBefore) => useOf(developer, daysBefore)),
    );
    await project(clickhouse, events);
    const publishes = Array.from({ length: 12 }, () => true);
    const world = { events, publishes, forgets: [false] };
    const first = randomUUID();
    await expectEpoch(0, { previous: null, attempt: first }, world, [history]);
    await new DeveloperAliasWriter(clickhouse).write([
      { devKey: '2', canonicalKey: '1', version: '1' },
    ]);
    await project(clickhouse, events);

    const attempt = randomUUID();
    const { tables } = first_version;
    const links = { tables, attempt, previous: first, asOf: asOf(0), fingerprint, tools };
    await writeCandidateLinks(clickhouse, links);
    const [counted] = await readCandidates(clickhouse, attempt, tools);
    expect(counted!.candidates[0]!.cohort).toMatchObject({ developers: 2, accounts: 1 });
    const pairs = counted!.candidates.map(({ period, part }) => ({
      candidate: cohortId(1, period, part),
      other: cohortId(0, period, part),
    }));
    const reader = new CohortDifferencesReader(clickhouse, attempt);
    const differences = await reader.differences([{ ...history, epoch: 1, pairs }]);
    const facts = differences.get(seriesKey(history))!.map((difference) => difference.facts);
    expect(facts.length).toBeGreaterThan(6);
    for (const one of facts) expect(one).toEqual(nobody);
  });
});
