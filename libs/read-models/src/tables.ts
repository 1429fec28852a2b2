import type { TableDdl } from '#clickhouse/tables.js';
import { adoptionRowsTable } from './adoption-rows/adoption-rows.table.js';
import { catalogueProductTable } from './catalogue/catalogue-product.table.js';
import { devDayStageTable, devDayTable } from './dev-day/dev-day.table.js';
import { developerAliasTable } from './developer-alias/developer-alias.table.js';
import { lifecycleTable } from './lifecycle/lifecycle.table.js';
import {
  publishedCohortTable,
  publishedSeriesTable,
} from './published-cohort/published-cohort.table.js';
import { usageEventsTable } from './usage-events/usage-events.table.js';

/** Every table of the column store. */
export const read_model_tables: readonly TableDdl[] = [
  usageEventsTable,
  devDayTable,
  devDayStageTable,
  developerAliasTable,
  lifecycleTable,
  catalogueProductTable,
  publishedCohortTable,
  publishedSeriesTable,
  adoptionRowsTable,
];
