import type { AdoptionVersion } from '../adoption-version/adoption-version.js';
import type { PersonalTable } from './personal-table.js';

/**
 * Every table from which an erasure deletes, of all versions of the projection that exist. Derived
 * ones come first: the raw events say which days were touched, and must still say so when an
 * erasure is taken up again. A rebuild that was killed leaves rows in the stage. A table with a
 * column for developers that is missing here fails a test.
 */
export function personalTables(versions: readonly AdoptionVersion[]): readonly PersonalTable[] {
  const derived = versions.flatMap(({ tables }) => [
    tables.dev_day_stage,
    tables.dev_day,
    tables.lifecycle,
  ]);
  const shared = ['published_cohort', 'developer_alias_v1'];
  const raw = versions.map(({ tables }) => tables.usage_events);
  return [...derived, ...shared, ...raw].map((table) => ({ table, devKeyColumn: 'dev_key' }));
}
