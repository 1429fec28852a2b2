import type { Clickhouse, QueryParameters } from '#clickhouse/clickhouse.js';
import { finishedByBoth, offsetList, type GroupVector } from '#domain/projections/offset-vector.js';
import type { DifferingKey } from '#postgres/projections/projection-version.js';
import type { AdoptionTables, AdoptionVersion } from '../adoption-version/adoption-version.js';
import {
  compared_days,
  days_in_motion,
  differing_dev_days,
  differing_event_days,
  differing_events,
} from './comparison.queries.js';
import { rebuild_limits } from './rebuild-limits.js';

/** Two versions, and how far the groups of both were before anything was compared. */
export interface ComparedVersions {
  readonly live: AdoptionVersion;
  readonly other: AdoptionVersion;
  readonly liveNext: GroupVector;
  readonly otherNext: GroupVector;
}

/** What a comparison found on some days; parts of it add up. */
export interface DayDifferences {
  /** Events that one of the two has not been given yet. */
  readonly pending: number;
  /** Everything else that is not the same. */
  readonly differences: number;
  /** Some of those. */
  readonly keys: readonly DifferingKey[];
}

export interface ComparedDay {
  readonly day: string;
  /** Events that the live version has. */
  readonly events: number;
}

const tablesOf = ({ live, other }: ComparedVersions): AdoptionTables & QueryParameters => ({
  ...live.tables,
  other_usage_events: other.tables.usage_events,
  other_dev_day: other.tables.dev_day,
});

/** Days from `oldest` on of which one of the two has events. */
export async function readComparedDays(
  clickhouse: Clickhouse,
  versions: ComparedVersions,
  oldest: string,
): Promise<readonly ComparedDay[]> {
  const parameters = { ...tablesOf(versions), oldest };
  const rows = await clickhouse.rows<{ day: string; events: number | string }>(
    compared_days,
    parameters,
  );
  return rows.map(({ day, events }) => ({ day, events: Number(events) }));
}

/**
 * The events of some days, at least one, in both versions: first counts and hashes by product,
 * then, of days on which these differ, event by event. Writers may go on meanwhile.
 */
export async function compareEvents(
  clickhouse: Clickhouse,
  versions: ComparedVersions,
  days: readonly string[],
): Promise<DayDifferences> {
  const bound = { ...tablesOf(versions), first: days[0]!, last: days.at(-1)!, days };
  const differing = await clickhouse.rows<{ day: string }>(differing_event_days, bound);
  const found: DayDifferences[] = [];
  for (const { day } of differing) {
    const [row] = await clickhouse.rows<DifferenceRow>(differing_events, {
      ...bound,
      first: day,
      last: day,
      days: [day],
      live_next: offsetList(versions.liveNext),
      other_next: offsetList(versions.otherNext),
    });
    found.push(fromRow(row!));
  }
  return sumOf(found);
}

/** Days, of some, with events that not both groups have finished: they are still being derived. */
export async function readDaysInMotion(
  clickhouse: Clickhouse,
  versions: ComparedVersions,
  days: readonly string[],
): Promise<readonly string[]> {
  const rows = await clickhouse.rows<{ day: string }>(days_in_motion, {
    ...tablesOf(versions),
    first: days[0]!,
    last: days.at(-1)!,
    days,
    settled_next: offsetList(finishedByBoth(versions.liveNext, versions.otherNext)),
  });
  return rows.map(({ day }) => day);
}

/** What is derived of some days, in both versions. Whoever asks keeps anybody from deriving. */
export async function compareDerivedDays(
  clickhouse: Clickhouse,
  versions: ComparedVersions,
  days: readonly string[],
): Promise<DayDifferences> {
  const rows = await clickhouse.rows<{
    readonly day: string;
    readonly product: string;
    readonly live: number | string;
    readonly other: number | string;
  }>(differing_dev_days, { ...tablesOf(versions), days });
  return {
    pending: 0,
    differences: rows.length,
    keys: rows.slice(0, rebuild_limits.keys_max).map(({ day, product, live, other }) => ({
      table: 'dev_day',
      kind: 'changed',
      day,
      productId: product,
      key: `${live} rows in the live version, ${other} in this one`,
    })),
  };
}

/** All that was found, and as many keys of it as are ever named. */
export function sumOf(parts: readonly DayDifferences[]): DayDifferences {
  return {
    pending: parts.reduce((sum, { pending }) => sum + pending, 0),
    differences: parts.reduce((sum, { differences }) => sum + differences, 0),
    keys: parts.flatMap(({ keys }) => keys).slice(0, rebuild_limits.keys_max),
  };
}

interface DifferenceRow {
  readonly pending: number | string;
  readonly differences: number | string;
  readonly keys: readonly (readonly [string, string, DifferingKey['kind'], string])[];
}

function fromRow({ pending, differences, keys }: DifferenceRow): DayDifferences {
  return {
    pending: Number(pending),
    differences: Number(differences),
    keys: keys.map(([day, productId, kind, key]) => {
      return { table: 'usage_events', kind, day, productId, key };
    }),
  };
}
