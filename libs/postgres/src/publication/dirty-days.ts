import type { EntityManager } from 'typeorm';

/** A day to compute again, in the version that was seen. */
export interface DirtyDay {
  readonly day: string;
  readonly version: string;
}

/** The days of a read model that got rows since they were last computed, oldest first. */
export async function readDirtyDays(
  manager: EntityManager,
  readModel: string,
): Promise<DirtyDay[]> {
  return manager.query<DirtyDay[]>(
    `select day::text as day, version::text as version from dirty_day
     where read_model = $1 order by day`,
    [readModel],
  );
}

/** Marks days to be computed again; a day that is marked already gets a new version. */
export async function markDirtyDays(
  manager: EntityManager,
  readModel: string,
  days: Iterable<string>,
): Promise<void> {
  // In one order everywhere, so that two projectors never wait for each other in a circle.
  await manager.query(
    `insert into dirty_day (read_model, day)
     select $1, day from unnest($2::date[]) as day order by day
     on conflict (read_model, day) do update set version = nextval('dirty_day_version')`,
    [readModel, [...new Set(days)]],
  );
}

/** Clears days, but not those that were marked again since they were read. */
export async function clearDirtyDays(
  manager: EntityManager,
  readModel: string,
  days: readonly DirtyDay[],
): Promise<void> {
  await manager.query(
    `delete from dirty_day using unnest($2::date[], $3::bigint[]) as seen (day, version)
     where dirty_day.read_model = $1
       and dirty_day.day = seen.day
       and dirty_day.version = seen.version`,
    [readModel, days.map(({ day }) => day), days.map(({ version }) => version)],
  );
}
