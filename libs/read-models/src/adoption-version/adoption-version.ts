/**
 * Tables of one version of the adoption projection, under the names by which statements ask for
 * them: `FROM {usage_events:Identifier}`.
 */
export type AdoptionTables = Readonly<
  Record<'usage_events' | 'dev_day' | 'dev_day_stage' | 'lifecycle', string>
>;

/** What belongs to one version of the adoption projection and to no other. */
export interface AdoptionVersion {
  readonly version: number;
  readonly tables: AdoptionTables;
  /** Consumer group that feeds it, and the name of its checkpoints. */
  readonly group: string;
  /** Name under which its days are marked as stale. */
  readonly daysModel: string;
}

/** Name of the projection: everything that is derived from `usage.accepted`. */
export const adoption_projection = 'adoption';

/** The version of every installation until another one is cut over to. */
export const first_adoption_version = 1;

/** Numbers are part of names of tables, so they stay small whole numbers. */
export const adoption_version_max = 9_999;

/**
 * The names of a version, from 1 to `adoption_version_max`: `usage_events_v2`, …
 * @throws RangeError for any other number; it would end up in the text of a statement.
 */
export function adoptionVersion(version: number): AdoptionVersion {
  if (!Number.isInteger(version) || version < 1 || version > adoption_version_max) {
    throw new RangeError(`${version} is no number of a version.`);
  }
  return {
    version,
    tables: {
      usage_events: `usage_events_v${version}`,
      dev_day: `dev_day_v${version}`,
      dev_day_stage: `dev_day_v${version}_stage`,
      lifecycle: `lifecycle_v${version}`,
    },
    // The first version's name is older than versions are; another one would start at offset 0.
    group: version === 1 ? 'projector-usage-v1' : `projector-adoption-v${version}`,
    daysModel: `dev_day_v${version}`,
  };
}
