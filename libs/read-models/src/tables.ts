import type { TableDdl } from '#clickhouse/tables.js';
import { adoptionRowsTable } from './adoption-rows/adoption-rows.table.js';
import type { AdoptionVersion } from './adoption-version/adoption-version.js';
import { adoptionTableDdls } from './adoption-version/stored-versions.js';
import { catalogueProductTable } from './catalogue/catalogue-product.table.js';
import { developerAliasTable } from './developer-alias/developer-alias.table.js';
import {
  publishedCohortTable,
  publishedSeriesTable,
} from './published-cohort/published-cohort.table.js';

/** Tables that every version of the adoption projection shares. */
export const shared_tables: readonly TableDdl[] = [
  developerAliasTable,
  catalogueProductTable,
  publishedCohortTable,
  publishedSeriesTable,
  adoptionRowsTable,
];

/** Every table of an installation that has one version of the adoption projection. */
export function readModelTables(version: AdoptionVersion): readonly TableDdl[] {
  return [...adoptionTableDdls(version.tables), ...shared_tables];
}
