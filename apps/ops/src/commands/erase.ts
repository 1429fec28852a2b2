import { Command } from 'commander';
import { openClickhouse } from '#clickhouse/clickhouse.js';
import { applyTables } from '#clickhouse/tables.js';
import { isEmailAddress } from '#contracts/field-decorators.js';
import { IdentityHasher, normaliseEmail } from '#domain/usage/identity.js';
import type { Database } from '#postgres/database.js';
import type { ErasureRecord } from '#postgres/erasures/erasure-desk.js';
import { readErasures, type ErasureEntry } from '#postgres/erasures/erasure-entries.js';
import type { DirectoryStore } from '#postgres/organizations/directory-store.js';
import { shared_tables } from '#read-models/tables.js';
import { instant, table, type Answer } from '../answer.js';
import { count, label } from '../arguments.js';
import { CommandFailedError } from '../command-failed.js';
import type { Environment } from '../database-address.js';
import { eraseDeveloper, planErasure, type ErasureOutcome } from '../erasure/erase-developer.js';
import { erasureSettings } from '../erasure/erasure-settings.js';
import { readIdentifier } from '../erasure/read-identifier.js';
import { organizationOf } from '../lookups.js';
import { stopOnSignals } from '../operations/stop-on-signals.js';
import type { GlobalOptions, RunCommand } from '../run-command.js';
import { systemUser } from '../system-user.js';
import { UsageError } from '../usage-error.js';

/** Deleting rewrites the parts that hold the rows; a large store takes its time. */
const statement_ms_max = 1_800_000;

interface EraseOptions {
  readonly org?: string;
  readonly developerIdStdin?: boolean;
  readonly emailStdin?: boolean;
  readonly jsonString?: boolean;
  readonly execute?: boolean;
  readonly by?: string;
}

const listed_default = 20;

export function eraseCommand(run: RunCommand, env: Environment): Command {
  const erase = new Command('erase')
    .description('delete all that is stored of one developer; says what it would do, unless told')
    .option('--developer-id-stdin', 'the id the organization sends is read from standard input')
    .option('--org <org>', 'slug or id of that organization')
    .option('--email-stdin', 'the e-mail address is read from standard input')
    .option('--json-string', 'standard input is a string in JSON, for ids with line breaks')
    .option('--execute', 'do it; finishes what an interrupted run left, too')
    .option('--by <name>', 'who asks for it, for the audit record; else the system user', label)
    .action((options: EraseOptions, command: Command) =>
      run(command, async (store, database) => {
        checkOptions(options);
        const { dataDir } = command.optsWithGlobals<GlobalOptions>();
        const { clickhouseUrl, identityPepper } = await erasureSettings(dataDir, env);
        const hash = await readHash(store, options, new IdentityHasher(identityPepper));
        const columnStore = { url: clickhouseUrl, app: 'ops', requestTimeoutMs: statement_ms_max };
        await applyTables(columnStore, shared_tables);
        const clickhouse = openClickhouse(columnStore);
        try {
          const stores = { database, clickhouse };
          return toAnswer(
            options.execute === true
              ? await toTheEnd(eraseDeveloper(stores, hash, options.by ?? systemUser()))
              : await planErasure(stores, hash),
          );
        } finally {
          await clickhouse.close();
        }
      }),
    );
  erase
    .command('list')
    .description('list erasures, newest first: who asked for them, and what was deleted')
    .option('--limit <n>', 'at most so many', count, listed_default)
    .action(({ limit }: { readonly limit: number }, command: Command) =>
      run(command, (_store, database) => listErasures(database, limit)),
    );
  return erase;
}

async function listErasures({ manager }: Database, limit: number): Promise<Answer> {
  const shown = (await readErasures(manager, limit)).map(toListed);
  return {
    lines: table(
      ['ID', 'BY', 'STARTED', 'COMPLETED', 'IDENTITIES', 'KEYS'],
      shown.map(({ id, requestedBy, startedAt, completedAt, identities, keys }) => [
        id,
        requestedBy,
        startedAt,
        completedAt,
        identities === undefined ? null : String(identities),
        keys === undefined ? null : String(keys),
      ]),
    ),
    json: shown,
  };
}

/** Half an erasure is worse than a late one, so the first signal only tells what goes on. */
async function toTheEnd(erasure: Promise<ErasureOutcome>): Promise<ErasureOutcome> {
  const { signal, release } = stopOnSignals();
  signal.addEventListener('abort', () =>
    process.stderr.write(
      'ops: the erasure goes on to its end. Another signal ends it where it is; ' +
        'then the next "ops erase --execute", of anybody, finishes it.\n',
    ),
  );
  return erasure.finally(release);
}

function checkOptions({ org, developerIdStdin = false, emailStdin = false }: EraseOptions): void {
  if (developerIdStdin === emailStdin) {
    throw new UsageError('Give either --developer-id-stdin with --org, or --email-stdin.');
  }
  if (developerIdStdin !== (org !== undefined)) {
    throw new UsageError('--org belongs to --developer-id-stdin: an id means one organization.');
  }
}

async function readHash(
  store: DirectoryStore,
  { org, jsonString = false }: EraseOptions,
  hasher: IdentityHasher,
): Promise<string> {
  if (org !== undefined) {
    const { id } = await organizationOf(store, org);
    return hasher.developer(id, await readIdentifier('developer id', { json: jsonString }));
  }
  const email = (await readIdentifier('e-mail address', { json: jsonString })).trim();
  if (!isEmailAddress(email)) throw new UsageError('That is no e-mail address.');
  return hasher.email(normaliseEmail(email));
}

function toAnswer(outcome: ErasureOutcome): Answer {
  switch (outcome.kind) {
    case 'planned': {
      const { plan, unfinished } = outcome;
      return {
        lines: [
          ...table(['WHAT', 'COUNT'], countsOf({ ...plan })),
          ...(unfinished > 0 ? [`${unfinished} interrupted erasure(s) would be finished.`] : []),
          'Nothing was changed; --execute erases.',
        ],
        json: { executed: false, ...plan, unfinished },
      };
    }
    case 'erased':
    case 'finished':
      return {
        lines: outcome.records.flatMap(recordLines),
        json: { executed: true, erasures: outcome.records.map(toListed) },
      };
    case 'unknown':
      throw new CommandFailedError(
        'developer_not_found',
        outcome.erasedAt === null
          ? 'Nobody is registered under that; is it the right organization and IDENTITY_PEPPER?'
          : `Erased before, on ${instant(outcome.erasedAt)}; nothing came since.`,
      );
    case 'busy':
      throw new CommandFailedError(
        'busy',
        'An epoch is being published, or another erasure runs. Try again later.',
      );
  }
}

function countsOf(counts: ErasureRecord['counts']): readonly (readonly [string, string])[] {
  return [
    ['identities', String(counts.identities)],
    ['keys', String(counts.keys)],
    ...Object.entries(counts.rows).map(([name, rows]) => [name, String(rows)] as const),
  ];
}

function recordLines(record: ErasureRecord): readonly string[] {
  const { id, requestedBy, completedAt, counts } = record;
  return [
    `Erasure ${id}, asked for by ${requestedBy}, completed ${instant(completedAt)}:`,
    ...table(['WHAT', 'ERASED'], countsOf(counts)),
  ];
}

function toListed({ id, requestedBy, startedAt, completedAt, counts }: ErasureEntry) {
  return {
    id,
    requestedBy,
    startedAt: instant(startedAt),
    completedAt: instant(completedAt),
    ...counts,
  };
}
