import { devDayPersonal, devDayStagePersonal } from '../dev-day/dev-day.table.js';
import { developerAliasPersonal } from '../developer-alias/developer-alias.table.js';
import { lifecyclePersonal } from '../lifecycle/lifecycle.table.js';
import { publishedCohortPersonal } from '../published-cohort/published-cohort.table.js';
import { usageEventsPersonal } from '../usage-events/usage-events.table.js';
import type { PersonalTable } from './personal-table.js';

/**
 * Every table from which an erasure deletes, derived ones first: the raw events say which days were
 * touched, and must still say so when an erasure is taken up again. A table with a column for
 * developers that is missing here fails a test.
 */
export const personal_tables: readonly PersonalTable[] = [
  devDayStagePersonal,
  devDayPersonal,
  lifecyclePersonal,
  publishedCohortPersonal,
  developerAliasPersonal,
  usageEventsPersonal,
];
