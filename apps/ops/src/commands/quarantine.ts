import { Command, Option } from 'commander';
import { QuarantineResolutions } from '#postgres/quarantine/quarantine-resolutions.js';
import { instant, table, type Answer } from '../answer.js';
import { count, quarantineTopic, recordPlace, type RecordPlace } from '../arguments.js';
import { CommandFailedError } from '../command-failed.js';
import type { LogTools, RunOnLog } from '../log-runner.js';
import { toShownRecord } from '../log/shown-record.js';
import { organizationOf } from '../lookups.js';
import { changing, paced, runOperation } from '../operations/run-operation.js';
import { countLines } from '../quarantine/count-records.js';
import { discardOperation } from '../quarantine/discard-operation.js';
import { findRecord } from '../quarantine/find-record.js';
import { listOpen } from '../quarantine/list-records.js';
import type { QuarantineFilter } from '../quarantine/open-records.js';
import {
  redriveOperation,
  refusal_policies,
  type RedriveResult,
  type RefusalPolicy,
} from '../quarantine/redrive-operation.js';
import type { QuarantineStores } from '../quarantine/resolve-operation.js';
import { placeText, toSetAside, type SetAsideRecord } from '../quarantine/set-aside-record.js';
import { UsageError } from '../usage-error.js';

const listed_default = 20;

interface FilterOptions {
  readonly topic?: string;
  readonly reason?: string;
  readonly stage?: string;
  readonly organization?: string;
}

export function quarantineCommand(run: RunOnLog): Command {
  const quarantine = new Command('quarantine').description(
    'records that were set aside because no retry can make them acceptable',
  );
  filtered(quarantine.command('list'))
    .description('count the open ones by topic, reason and stage, and list the newest')
    .option('--limit <n>', 'list at most so many', count, listed_default)
    .action((options: FilterOptions & { readonly limit: number }, command: Command) =>
      run(command, (tools) => list(tools, options)),
    );
  quarantine
    .command('show')
    .description('a record with its headers, why it was set aside, and what became of it')
    .argument('<record>', 'topic/partition/offset, as "ops quarantine list" shows it', recordPlace)
    .action((place: RecordPlace, _options: object, command: Command) =>
      run(command, (tools) => show(tools, place)),
    );
  paced(changing(filtered(quarantine.command('redrive'))))
    .description('send records back to the topic they came from, to be judged again')
    .addOption(
      new Option('--on-refused <policy>', 'at a record that was redriven five times already')
        .choices(refusal_policies)
        .default('stop'),
    )
    .action((options: FilterOptions & { readonly onRefused: RefusalPolicy }, command: Command) =>
      run(command, (tools) => redrive(tools, options, command)),
    );
  paced(changing(filtered(quarantine.command('discard'))))
    .description('give records up for good; name which')
    .action((options: FilterOptions, command: Command) =>
      run(command, (tools) => discard(tools, options, command)),
    );
  return quarantine;
}

function filtered(command: Command): Command {
  return command
    .option('--topic <topic>', 'of this quarantine topic, or from this topic', quarantineTopic)
    .option('--reason <reason>', 'set aside for this reason, for example unknown_event_name')
    .option('--stage <stage>', 'set aside by this room, for example ingest-worker')
    .option('--organization <org>', 'of events of one organization, by slug or id');
}

async function filterOf(
  { store }: LogTools,
  { topic, reason, stage, organization }: FilterOptions,
): Promise<QuarantineFilter> {
  const owner = organization === undefined ? undefined : await organizationOf(store, organization);
  return {
    ...(topic !== undefined && { topic }),
    ...(reason !== undefined && { reason }),
    ...(stage !== undefined && { stage }),
    ...(owner !== undefined && { organization: { id: owner.id, slug: owner.slug } }),
  };
}

function storesOf({ log, database }: LogTools): QuarantineStores {
  return { log, resolutions: new QuarantineResolutions(database) };
}

async function list(
  tools: LogTools,
  { limit, ...options }: FilterOptions & { readonly limit: number },
): Promise<Answer> {
  const { counts, newest } = await listOpen(storesOf(tools), await filterOf(tools, options), limit);
  const open = counts.reduce((sum, { records }) => sum + records, 0);
  const shown = newest.map(toListed);
  return {
    lines: [
      `${open} records are in quarantine.`,
      ...countLines(counts),
      ...(open === 0 ? [] : ['']),
      ...table(
        ['RECORD', 'REASON', 'STAGE', 'REDRIVES', 'FAILED AT', 'KEY'],
        shown.map((row) => [
          row.record,
          row.reason,
          row.stage,
          String(row.redrives),
          row.failedAt,
          row.key,
        ]),
      ).slice(open === 0 ? 1 : 0),
    ],
    json: { open, counts, newest: shown },
  };
}

function toListed({ record, reason, stage, failedAt, redrives, originPlace }: SetAsideRecord) {
  const { key } = record;
  return { record: placeText(record), key, reason, stage, failedAt, redrives, origin: originPlace };
}

async function show(tools: LogTools, place: RecordPlace): Promise<Answer> {
  const { log, resolutions } = storesOf(tools);
  const record = await findRecord(log, place);
  const setAside = toSetAside(record);
  const resolution = await resolutions.find(record);
  const { headers, value, valueBase64, appendedAt } = toShownRecord(record);
  const shown = {
    ...toListed(setAside),
    appVersion: setAside.appVersion,
    appendedAt,
    state: resolution?.action ?? 'open',
    operationId: resolution?.operationId ?? null,
    resolvedAt: instant(resolution?.resolvedAt ?? null),
    headers,
    value,
    ...(valueBase64 !== undefined && { valueBase64 }),
  };
  return { lines: [JSON.stringify(shown, null, 2)], json: shown };
}

async function redrive(
  tools: LogTools,
  { onRefused, ...options }: FilterOptions & { readonly onRefused: RefusalPolicy },
  command: Command,
): Promise<Answer> {
  const filter = await filterOf(tools, options);
  const operation = redriveOperation(storesOf(tools), filter, onRefused);
  const answer = await runOperation(command, tools.database, operation);
  const { stoppedAt = null, redriven } = answer.json as Partial<RedriveResult>;
  if (stoppedAt === null) return answer;
  throw new CommandFailedError(
    'redrive_refused',
    `${redriven} records were sent back; then ${stoppedAt} is refused: it was redriven as often ` +
      'as may be, or has no origin. --on-refused requeue leaves it there and goes on, ' +
      '--on-refused drop discards it.',
  );
}

async function discard(tools: LogTools, options: FilterOptions, command: Command): Promise<Answer> {
  const filter = await filterOf(tools, options);
  if (Object.keys(filter).length === 0) {
    throw new UsageError('Say which: --reason, --topic, --stage or --organization.');
  }
  const operation = discardOperation(storesOf(tools), filter);
  return runOperation(command, tools.database, operation);
}
