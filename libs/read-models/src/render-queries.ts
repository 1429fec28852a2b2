import { snapshot_rows } from './adoption-rows/adoption-rows.reader.js';
import { insert_adoption_rows, stored_epochs } from './adoption-rows/adoption-rows.writer.js';
import { adoptionRowsTable } from './adoption-rows/adoption-rows.table.js';
import { adoptionVersion, first_adoption_version } from './adoption-version/adoption-version.js';
import { drop_table, stored_rows, stored_versions } from './adoption-version/stored-versions.js';
import { catalogueProductTable } from './catalogue/catalogue-product.table.js';
import { insert_catalogue_products } from './catalogue/catalogue-product.writer.js';
import { covered_days } from './dev-day/dev-day.reader.js';
import { empty_stage, rebuild_days, staged_days } from './dev-day/dev-day.rebuild.js';
import { devDayStageTable, devDayTable } from './dev-day/dev-day.table.js';
import { developerAliasTable } from './developer-alias/developer-alias.table.js';
import {
  days_of_keys,
  insert_aliases,
  latest_alias,
} from './developer-alias/developer-alias.writer.js';
import {
  organization_accounts,
  organization_campaigns,
  organization_funnel,
  organization_retention,
} from './organization-usage/organization-usage.queries.js';
import { countPersonalRows, deletePersonalRows, stored_tables } from './personal/personal-rows.js';
import { personalTables } from './personal/personal-tables.js';
import { lifecycleTable } from './lifecycle/lifecycle.table.js';
import {
  add_lifecycle_days,
  empty_lifecycle,
  lifecycle_days,
} from './lifecycle/lifecycle.writer.js';
import { stored_attempts } from './published-cohort/attempts.js';
import { candidate_facts } from './published-cohort/candidate-facts.reader.js';
import { insert_candidate_links, tool_rows } from './published-cohort/candidate-links.writer.js';
import { cohort_differences, series_links } from './published-cohort/cohort-differences.reader.js';
import {
  publishedCohortTable,
  publishedSeriesTable,
} from './published-cohort/published-cohort.table.js';
import { insert_published_series, published_series } from './published-cohort/published-series.js';
import {
  compared_days,
  days_in_motion,
  differing_dev_days,
  differing_event_days,
  differing_events,
} from './rebuild/comparison.queries.js';
import type { TableDdl } from '#clickhouse/tables.js';
import { single_server, type Topology } from '#clickhouse/topology.js';
import { insert_usage_events } from './usage-events/usage-events.projection.js';
import { row_places, rows_elsewhere } from './usage-events/row-places.reader.js';
import { events_per_day } from './usage-events/usage-events.reader.js';
import { usageEventsTable } from './usage-events/usage-events.table.js';

interface Model {
  readonly tables: readonly TableDdl[];
  readonly statements: Readonly<Record<string, string>>;
}

/** Tables are rendered under the names of the first version; statements get them bound. */
const first = adoptionVersion(first_adoption_version);
const { tables } = first;

const models: Readonly<Record<string, Model>> = {
  'usage-events': {
    tables: [usageEventsTable(tables)],
    statements: { insert_usage_events, events_per_day, row_places, rows_elsewhere },
  },
  'dev-day': {
    tables: [devDayTable(tables), devDayStageTable(tables)],
    statements: { empty_stage, rebuild_days, staged_days, covered_days },
  },
  lifecycle: {
    tables: [lifecycleTable(tables)],
    statements: { add_lifecycle_days, lifecycle_days, empty_lifecycle },
  },
  'published-cohort': {
    tables: [publishedCohortTable, publishedSeriesTable],
    statements: {
      tool_rows,
      insert_candidate_links,
      candidate_facts,
      series_links,
      cohort_differences,
      published_series,
      insert_published_series,
      stored_attempts,
    },
  },
  'developer-alias': {
    tables: [developerAliasTable],
    statements: { insert_aliases, latest_alias, days_of_keys },
  },
  'organization-usage': {
    tables: [],
    statements: {
      organization_funnel,
      organization_accounts,
      organization_campaigns,
      organization_retention,
    },
  },
  'personal-rows': {
    tables: [],
    statements: {
      stored_tables,
      ...Object.fromEntries(
        personalTables([first]).flatMap((personal) => [
          [`count_${personal.table}`, countPersonalRows(personal)],
          [`delete_${personal.table}`, deletePersonalRows(personal)],
        ]),
      ),
    },
  },
  'adoption-version': {
    tables: [],
    statements: { stored_versions, stored_rows, drop_table },
  },
  'version-comparison': {
    tables: [],
    statements: {
      compared_days,
      differing_event_days,
      differing_events,
      days_in_motion,
      differing_dev_days,
    },
  },
  catalogue: {
    tables: [catalogueProductTable],
    statements: { insert_catalogue_products },
  },
  'adoption-rows': {
    tables: [adoptionRowsTable],
    statements: { insert_adoption_rows, stored_epochs, snapshot_rows },
  },
};

const replicated: Topology = { kind: 'replicated', cluster: 'uptake' };

/**
 * The pages of `docs/queries`, file name → text: every statement that the read models send to the
 * column store, as it is sent. `npm run docs` writes them; a test fails when they are stale.
 */
export function renderQueries(): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(models).map(([name, model]) => [`${name}.sql`, renderModel(model)]),
  );
}

function renderModel({ tables, statements }: Model): string {
  const parts = [
    '-- Generated by `npm run docs` from libs/read-models; do not edit.',
    ...tables.map((ddl) => `-- table on one server\n${ddl(single_server).trim()};`),
    ...tables.map((ddl) => `-- table on a cluster named "uptake"\n${ddl(replicated).trim()};`),
    ...Object.entries(statements).map(([name, sql]) => `-- ${name}\n${sql.trim()};`),
  ];
  return `${parts.join('\n\n')}\n`;
}
