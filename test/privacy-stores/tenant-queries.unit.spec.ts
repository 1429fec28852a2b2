import { describe, expect, it } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { single_server } from '#clickhouse/topology.js';
import { renderQueries } from '#read-models/render-queries.js';
import { readModelTables } from '#read-models/tables.js';
import { first_version } from '../support/first-version.js';
import { readSourceFiles, type SourceFile } from '../tidy/source-file.js';

const repository = fileURLToPath(new URL('../../../', import.meta.url));

/** Statements that may look at the events of all organizations, and why. */
const allowed: ReadonlyMap<string, string> = new Map([
  ['insert_usage_events', 'each row carries its organization'],
  ['row_places', 'where in the log the rows of an event come to be, for operators'],
  ['rows_elsewhere', 'counts rows, for operators'],
  ['events_per_day', 'counts of whole days, for operators'],
  ['rebuild_days', 'the day of a published aggregate has all organizations'],
  ['staged_days', 'the day of a published aggregate has all organizations'],
  ['insert_candidate_links', 'a published tool may be tracked by several organizations'],
  ['tool_rows', 'a published tool may be tracked by several organizations'],
  ['candidate_facts', 'a published tool may be tracked by several organizations'],
  ['series_links', 'a published tool may be tracked by several organizations'],
  ['cohort_differences', 'a published tool may be tracked by several organizations'],
  ['add_lifecycle_days', 'a published aggregate has all organizations'],
  ['lifecycle_days', 'days, and nothing of them'],
  ['empty_stage', 'empties a table that is computed again'],
  ['empty_lifecycle', 'empties a table that is computed again'],
  ['stored_attempts', 'names attempts, and nothing of them'],
  ['covered_days', 'counts days, and nothing of them'],
  ['compared_days', 'counts of whole days, for operators'],
  ['differing_event_days', 'compares two versions of all that is stored'],
  ['differing_events', 'compares two versions of all that is stored; names events alone'],
  ['days_in_motion', 'days, and nothing of them'],
  ['differing_dev_days', 'compares two versions of all that is stored; counts rows'],
  ['insert_aliases', 'a developer may be known to several organizations'],
  ['latest_alias', 'how far the copy of the aliases is'],
  ['days_of_keys', 'a developer is recounted and erased in every organization'],
  ['rebuildChunk', 'swaps whole days in'],
  ['alias_join', 'part of a statement; says which keys are one developer'],
  ['own_events', 'part of the statements of an organization, which bind it'],
]);
/** An erasure reaches the developer in every organization. */
const erasure = /^(count|delete)_\w+$/;

/** Tables with rows that belong to an organization or to a developer of one. */
const tenant_tables = readModelTables(first_version).flatMap((ddl) => {
  const text = ddl(single_server);
  const name = /CREATE TABLE IF NOT EXISTS (\w+)/.exec(text)![1]!;
  return /\b(organization_id|dev_key)\b/.test(text) ? [name] : [];
});
/** Statements ask for the tables of a version by parameter: `{usage_events:Identifier}`. */
const parameters = Object.keys(first_version.tables).map(
  (name) => String.raw`\{(\w+_)?${name}:Identifier\}`,
);
const named_tables = [...parameters, ...tenant_tables].join('|');
const tenant_table = new RegExp(
  String.raw`\b(from|join|into|table|update)\s+(${named_tables})(?!\w)`,
  'gi',
);
/** The alias table has no organization; it only says which keys are one. */
const bound_table = new RegExp(tenant_table.source.replace(/\|?developer_alias_v1/, ''), 'gi');
const bound_organization = /\borganization_id = \{organization:UUID\}/g;

/** Every statement of the pages in `docs/queries`, by name. */
function renderedStatements(): ReadonlyMap<string, string> {
  const parts = [...renderQueries().values()].flatMap((page) => page.split(/\n\n(?=-- )/));
  return new Map(
    parts
      .map((part) => [/^-- (\w+)\n/.exec(part)?.[1], part] as const)
      .flatMap(([name, part]) => (name === undefined ? [] : [[name, part] as const])),
  );
}

const isText = (node: ts.Node): node is ts.TemplateExpression | ts.StringLiteralLike =>
  ts.isTemplateExpression(node) || ts.isStringLiteralLike(node);

/** The constant or function that a piece of SQL is written in. */
function ownerOf(node: ts.Node): string {
  for (let at = node.parent; !ts.isSourceFile(at); at = at.parent) {
    if (ts.isFunctionDeclaration(at) || ts.isMethodDeclaration(at)) return at.name?.getText() ?? '';
    if (ts.isVariableDeclaration(at) && ts.isSourceFile(at.parent.parent.parent)) {
      return at.name.getText();
    }
  }
  return '';
}

/** Places in the sources of apps and libraries that name a tenant table in SQL. */
function writtenStatements(file: SourceFile): readonly { owner: string; place: string }[] {
  return file
    .nodes()
    .filter((node) => isText(node) && node.getText().search(tenant_table) >= 0)
    .map((node) => ({ owner: ownerOf(node), place: file.finding(file.lineOf(node), '') }));
}

const rendered = renderedStatements();
const sources = readSourceFiles(repository).filter(
  ({ path, isSpec }) => /^(apps|libs)\//.test(path) && !isSpec,
);
const written = sources.flatMap(writtenStatements);

describe('a query on events or developers', () => {
  it('binds the organization for every table it reads, or is on the list', () => {
    const unbound = [...rendered].filter(([name, sql]) => {
      const tables = sql.match(bound_table)?.length ?? 0;
      const organizations = sql.match(bound_organization)?.length ?? 0;
      return organizations < tables && !allowed.has(name) && !erasure.test(name);
    });
    expect(unbound.map(([name]) => name)).toEqual([]);
  });

  it('is rendered into docs/queries, wherever it is written', () => {
    const hidden = written.filter(({ owner }) => !rendered.has(owner) && !allowed.has(owner));
    expect(hidden).toEqual([]);
  });

  it('never gets its table by the way, but in an insert and an erasure', () => {
    const dynamic = /\b(from|join|into|table|update)\s+\$\{/i;
    const found = sources
      .filter(({ path }) => /^libs\/(read-models|clickhouse)\/|^apps\//.test(path))
      .flatMap((file) => file.nodes().filter((node) => isText(node)))
      .filter((node) => dynamic.test(node.getText()))
      .map(ownerOf);
    const known = [
      'countPersonalRows',
      'deletePersonalRows',
      'dropOtherAttempts',
      'insertStatement',
      'rebuildChunk',
    ];
    expect([...new Set(found)].sort()).toEqual(known);
  });

  it('is found by this test: the list names nothing that is not there', () => {
    const names = new Set([...rendered.keys(), ...written.map(({ owner }) => owner)]);
    expect([...allowed.keys()].filter((name) => !names.has(name))).toEqual([]);
    expect(tenant_tables).toContain('usage_events_v1');
    expect(rendered.get('organization_funnel')).toMatch(tenant_table);
    expect([...rendered.keys()].filter((name) => name.startsWith('organization_'))).toHaveLength(4);
  });
});
