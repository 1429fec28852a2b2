import { Command, Option } from 'commander';
import type { EventLog } from '#event-log/event-log.js';
import { instant, table, type Answer } from '../answer.js';
import { count, partitionNumber } from '../arguments.js';
import type { LogTools, RunOnLog } from '../log-runner.js';
import { describeTopic, describeTopics, type TopicSummary } from '../log/describe-topics.js';
import { behindExported, exportedBefore, exportToFile, holdingFile } from '../log/export-topic.js';
import { LineOutput } from '../log/line-output.js';
import { givenPosition, type GivenPosition } from '../log/positions.js';
import { toShownRecord, type ShownRecord } from '../log/shown-record.js';
import { recordsIn, spansOf, walkSpans, type Span } from '../log/spans.js';
import { tailTopic, type TailOptions } from '../log/tail-topic.js';
import { startProgress } from '../operations/progress.js';
import { InterruptedError, stopOnSignals } from '../operations/stop-on-signals.js';
import { printed, type GlobalOptions } from '../run-command.js';

const day_ms = 86_400_000;

interface ExportOptions {
  readonly from: GivenPosition;
  readonly to: GivenPosition;
  readonly partition?: number;
  readonly out?: string;
}

type ShownTailOptions = TailOptions & { readonly headers?: boolean };

export function logCommand(run: RunOnLog): Command {
  const log = new Command('log').description('the event log: its topics and records');
  log
    .command('topics')
    .description('list the topics')
    .action((_options: object, command: Command) => run(command, ({ log }) => listTopics(log)));
  log
    .command('describe')
    .description('offsets and times of the partitions of a topic')
    .argument('<topic>', 'name of the topic')
    .action((topic: string, _options: object, command: Command) =>
      run(command, ({ log }) => showTopic(log, topic)),
    );
  log
    .command('tail')
    .description('show the newest records of a topic, or the first ones from a position on')
    .argument('<topic>', 'name of the topic')
    .option('--from <position>', 'a time, a duration ago (PT1H), 0:15,3:20, or end', givenPosition)
    .option('--follow', 'go on showing what comes, until ctrl-C')
    .option('--limit <n>', 'at most so many (20 unless following from a position)', count)
    .option('--partition <n>', 'of one partition only', partitionNumber)
    .option('--key <key>', 'of one key only')
    .option('--headers', 'with their headers')
    .action((topic: string, options: ShownTailOptions, command: Command) =>
      run(command, (tools) => tail(tools, topic, options, command)),
    );
  log
    .command('export')
    .description('write records as lines of JSON; a file that holds a part is continued')
    .argument('<topic>', 'name of the topic')
    .addOption(position('--from <position>', 'as for tail', 'beginning'))
    .addOption(position('--to <position>', 'as for tail, exclusive', 'end'))
    .option('--partition <n>', 'of one partition only', partitionNumber)
    .option('--out <file>', 'a file instead of standard output (-)')
    .action((topic: string, options: ExportOptions, command: Command) =>
      run(command, (tools) => exportTopic(tools, topic, options, command)),
    );
  return log;
}

function position(flags: string, description: string, otherwise: string): Option {
  return new Option(flags, description)
    .argParser(givenPosition)
    .default(givenPosition(otherwise), otherwise);
}

async function listTopics(log: EventLog): Promise<Answer> {
  const shown = (await describeTopics(log)).map(toListed);
  return {
    lines: table(
      ['TOPIC', 'PARTITIONS', 'RECORDS', 'OLDEST', 'NEWEST', 'KEPT'],
      shown.map((topic) => [
        topic.topic,
        String(topic.partitions),
        String(topic.records),
        topic.oldest,
        topic.newest,
        topic.retentionDays === null ? null : `${topic.retentionDays} d`,
      ]),
    ),
    json: shown,
  };
}

function toListed({ name, partitions, retentionMs }: TopicSummary) {
  const times = (pick: 'oldest' | 'newest') =>
    partitions.map((partition) => partition[pick]).filter((time) => time !== null);
  const [oldest, newest] = [times('oldest'), times('newest')];
  return {
    topic: name,
    partitions: partitions.length,
    records: partitions.reduce((sum, { low, high }) => sum + Number(high - low), 0),
    oldest: oldest.length === 0 ? null : instant(Math.min(...oldest)),
    newest: newest.length === 0 ? null : instant(Math.max(...newest)),
    retentionDays: retentionMs === null ? null : retentionMs / day_ms,
  };
}

async function showTopic(log: EventLog, name: string): Promise<Answer> {
  const summary = await describeTopic(log, name);
  const partitions = summary.partitions.map(({ partition, low, high, oldest, newest }) => ({
    partition,
    low: Number(low),
    high: Number(high),
    records: Number(high - low),
    oldest: instant(oldest),
    newest: instant(newest),
  }));
  return {
    lines: table(
      ['PARTITION', 'LOW', 'HIGH', 'RECORDS', 'OLDEST', 'NEWEST'],
      partitions.map((row) =>
        Object.values(row).map((cell) => (cell === null ? null : String(cell))),
      ),
    ),
    json: { ...toListed(summary), partitions },
  };
}

async function tail(
  { log }: LogTools,
  topic: string,
  { headers = false, ...options }: ShownTailOptions,
  command: Command,
): Promise<typeof printed> {
  const { json = false } = command.optsWithGlobals<GlobalOptions>();
  const output = new LineOutput(process.stdout);
  const stop = stopOnSignals();
  try {
    const show = async (records: readonly Parameters<typeof toShownRecord>[0][]) => {
      const shown = records.map(toShownRecord);
      await output.write(
        json ? shown.map((record) => jsonLine(record, headers)) : shown.flatMap(textLines(headers)),
      );
      return !output.ended;
    };
    await tailTopic(log, topic, options, show, stop.signal);
  } finally {
    stop.release();
  }
  return printed;
}

function jsonLine({ headers, ...record }: ShownRecord, withHeaders: boolean): string {
  return JSON.stringify(withHeaders ? { ...record, headers } : record);
}

const textLines =
  (withHeaders: boolean) =>
  ({ partition, offset, appendedAt, key, headers, ...content }: ShownRecord): readonly string[] => {
    const value = content.valueBase64 ?? JSON.stringify(content.value);
    const named = Object.entries(headers).map(([name, text]) => `  ${name}: ${text}`);
    return [`${appendedAt} ${partition}/${offset} ${key} ${value}`, ...(withHeaders ? named : [])];
  };

async function exportTopic(
  { log }: LogTools,
  topic: string,
  options: ExportOptions,
  command: Command,
): Promise<Answer | typeof printed> {
  const spans = await spansOf(log, topic, options);
  const { json = false } = command.optsWithGlobals<GlobalOptions>();
  if (options.out === undefined || options.out === '-') {
    const output = new LineOutput(process.stdout);
    for await (const { records } of walkSpans(log, spans)) {
      await output.write(records.map((record) => JSON.stringify(toShownRecord(record))));
      if (output.ended) break;
    }
    return printed;
  }
  const { out } = options;
  return holdingFile(out, () => exportFile(log, topic, spans, out, json));
}

async function exportFile(
  log: EventLog,
  topic: string,
  spans: readonly Span[],
  path: string,
  json: boolean,
): Promise<Answer> {
  const before = await exportedBefore(path, topic);
  const left = behindExported(spans, before, path);
  const total = recordsIn(left);
  const progress = startProgress({ unit: 'records', total, doneBefore: 0, json });
  const stop = stopOnSignals();
  try {
    const { bytes } = before;
    const task = { spans: left, bytes, progress, signal: stop.signal };
    const { records, done } = await exportToFile(log, path, task);
    if (!done) {
      throw new InterruptedError(
        `${records} of ${total} records are in ${path}; the same command line continues there.`,
      );
    }
    const held = before.records;
    return {
      lines: [
        `${records} records of ${topic} were written to ${path}` +
          (held === 0 ? '.' : ` behind the ${held} that it held.`),
      ],
      json: { topic, file: path, records, heldBefore: held },
    };
  } finally {
    stop.release();
    progress.end();
  }
}
