import type { EventLog, LogRecord, LogRecordInput } from '#event-log/event-log.js';
import { table } from '../answer.js';
import { appendPatiently } from '../log/append-patiently.js';
import { organizationIdOf } from '../log/shown-record.js';
import {
  partsOf,
  recordsIn,
  spansOf,
  walkSpans,
  type Span,
  type SpanChoice,
  type SpanPlace,
} from '../log/spans.js';
import type { Operation } from '../operations/operation.js';

interface PlannedSpan extends Span {
  /** How many of its records are to be replayed. */
  readonly records: number;
}

export interface ReplayPlan {
  readonly topic: string;
  /** Slug, or null for all. */
  readonly organization: string | null;
  readonly records: number;
  readonly spans: readonly PlannedSpan[];
}

export interface ReplayRequest {
  readonly log: EventLog;
  readonly topic: string;
  readonly choice: SpanChoice;
  readonly organization: { readonly id: string; readonly slug: string } | null;
}

/**
 * Appends copies of records to the topic they are in, so that its consumers judge them again.
 * Every consumer collapses events by id: a copy changes what an event is taken for, never how often
 * it counts. The plan ends where the partitions ended when it was made, so no copy is copied.
 *
 * Order of effects: the copies of a part are in the log before the checkpoint says so; a crash
 * between the two appends that part once more.
 */
export function replayOperation(
  request: ReplayRequest,
): Operation<ReplayPlan, SpanPlace, { readonly replayed: number }> {
  const { log, topic, choice, organization } = request;
  const matches = (record: LogRecord) =>
    organization === null || organizationIdOf(record) === organization.id;
  return {
    command: 'replay',
    arguments: {
      topic,
      from: choice.from.text,
      to: choice.to.text,
      ...(choice.partition !== undefined && { partition: choice.partition }),
      ...(organization !== null && { organization: organization.slug }),
    },
    unit: 'records',
    plan: async () => {
      const spans = await spansOf(log, topic, choice);
      const counted =
        organization === null
          ? spans.map((span) => ({ ...span, records: recordsIn([span]) }))
          : await countMatching(log, spans, matches);
      const records = counted.reduce((sum, span) => sum + span.records, 0);
      return { topic, organization: organization?.slug ?? null, records, spans: counted };
    },
    total: ({ records }) => records,
    planLines: ({ records, spans, organization: slug }) => [
      `${records} records of ${slug ?? 'all organizations'} in ${topic} would be appended again.`,
      ...table(
        ['PARTITION', 'FROM', 'TO', 'RECORDS'],
        spans.map(({ partition, from, to, records: many }) =>
          [partition, from, to, many].map(String),
        ),
      ),
    ],
    async *steps({ operationId, plan, place, doneBefore, stepUnitsMax }) {
      let replayed = doneBefore;
      for await (const { records, after, behind } of walkSpans(log, plan.spans, place)) {
        for (const part of partsOf(records.filter(matches), stepUnitsMax)) {
          await appendPatiently(
            log,
            topic,
            part.map((record) => copyOf(record, operationId)),
          );
          replayed += part.length;
          yield { units: part.length, place: behind(part.at(-1)!) };
        }
        yield { units: 0, place: after };
      }
      return { replayed };
    },
    resultLines: ({ replayed }) => [`${replayed} records of ${topic} were appended again.`],
  };
}

async function countMatching(
  log: EventLog,
  spans: readonly Span[],
  matches: (record: LogRecord) => boolean,
): Promise<readonly PlannedSpan[]> {
  const counts = spans.map((span) => ({ ...span, records: 0 }));
  for await (const { records, after } of walkSpans(log, spans)) {
    counts[after.span]!.records += records.filter(matches).length;
  }
  return counts;
}

function copyOf({ key, value, headers }: LogRecord, operationId: string): LogRecordInput {
  const count = Number(headers['replay.count'] ?? 0) + 1;
  return {
    key,
    value,
    headers: { ...headers, 'replay.count': String(count), 'replay.operation': operationId },
  };
}
