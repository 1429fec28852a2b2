import { UnknownTopicError, type EventLog } from '#event-log/event-log.js';
import type { QuarantineResolutions } from '#postgres/quarantine/quarantine-resolutions.js';
import { givenPosition } from '../log/positions.js';
import { organizationIdOf } from '../log/shown-record.js';
import { spansOf, walkSpans, type Span, type SpanPlace, type WalkedBatch } from '../log/spans.js';
import { originOf, quarantine_topics } from './quarantine-topics.js';
import { toSetAside, type SetAsideRecord } from './set-aside-record.js';

/** Which records are meant; what is absent does not count. */
export interface QuarantineFilter {
  /** A quarantine topic, or the topic that its records come from. */
  readonly topic?: string | undefined;
  readonly reason?: string | undefined;
  readonly stage?: string | undefined;
  readonly organization?: { readonly id: string; readonly slug: string } | undefined;
}

/** The filter as the audit keeps it. */
export function filterArguments({ organization, ...filter }: QuarantineFilter): object {
  return { ...filter, ...(organization !== undefined && { organization: organization.slug }) };
}

/** All that is in quarantine now, open or not. */
export async function quarantineSpans(
  log: EventLog,
  { topic }: QuarantineFilter,
): Promise<readonly Span[]> {
  const spans: Span[] = [];
  const whole = { from: givenPosition('beginning'), to: givenPosition('end') };
  for (const name of quarantine_topics) {
    if (topic !== undefined && topic !== name && topic !== originOf(name)) continue;
    try {
      spans.push(...(await spansOf(log, name, whole)));
    } catch (error) {
      // No process that writes to it has started yet.
      if (!(error instanceof UnknownTopicError)) throw error;
    }
  }
  return spans;
}

export interface OpenBatch extends Pick<WalkedBatch, 'after' | 'behind'> {
  /** Those of the batch that are open and meant; there may be none. */
  readonly open: readonly SetAsideRecord[];
}

/** The records that are meant and of which nothing has become yet, span by span. */
export async function* openRecords(
  log: EventLog,
  resolutions: QuarantineResolutions,
  spans: readonly Span[],
  filter: QuarantineFilter,
  place: SpanPlace | null = null,
): AsyncGenerator<OpenBatch> {
  for await (const { records, after, behind } of walkSpans(log, spans, place)) {
    const [first, last] = [records[0]!, records.at(-1)!];
    const { topic, partition } = first;
    const resolved = await resolutions.resolvedWithin(topic, partition, first.offset, last.offset);
    const open = records
      .filter(({ offset }) => !resolved.has(offset))
      .map(toSetAside)
      .filter((record) => isMeant(record, filter));
    yield { open, after, behind };
  }
}

function isMeant(
  { record, reason, stage }: SetAsideRecord,
  { organization, ...filter }: QuarantineFilter,
): boolean {
  if (filter.reason !== undefined && filter.reason !== reason) return false;
  if (filter.stage !== undefined && filter.stage !== stage) return false;
  return organization === undefined || organizationIdOf(record) === organization.id;
}
