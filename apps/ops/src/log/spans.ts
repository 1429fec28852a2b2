import type { EventLog, LogRecord } from '#event-log/event-log.js';
import { CommandFailedError } from '../command-failed.js';
import { offsetsAt, type GivenPosition } from './positions.js';

const batch_records_max = 500;

/** A stretch of one partition; offsets as JSON keeps them (no log comes near 2^53 records). */
export interface Span {
  readonly topic: string;
  readonly partition: number;
  readonly from: number;
  /** Exclusive; where the partition ended when the span was made, or before. */
  readonly to: number;
}

/** How far a walk through spans has come: all before `next` in the span of this number is done. */
export interface SpanPlace {
  readonly span: number;
  readonly next: number;
}

/** What to walk through of a topic. */
export interface SpanChoice {
  readonly from: GivenPosition;
  readonly to: GivenPosition;
  readonly partition?: number | undefined;
}

/**
 * The stretches between two positions of a topic, bounded by where it ends now.
 * @throws CommandFailedError for a partition that is not there, and when the end comes first.
 */
export async function spansOf(
  log: EventLog,
  topic: string,
  { from, to, partition: only }: SpanChoice,
): Promise<readonly Span[]> {
  const ranges = await log.ranges(topic);
  const starts = await offsetsAt(log, topic, from, ranges);
  const ends = await offsetsAt(log, topic, to, ranges);
  if (only !== undefined && !ranges.some(({ partition }) => partition === only)) {
    throw new CommandFailedError(
      'partition_not_found',
      `${topic} has no partition ${only}; "ops log describe ${topic}" shows them.`,
    );
  }
  // Offsets speak of the partitions that they name, and of no other.
  const named = ({ position }: GivenPosition, partition: number) =>
    position.at !== 'offsets' || position.offsets.has(partition);
  const spans = ranges
    .filter(({ partition }) => only === undefined || partition === only)
    .filter(({ partition }) => named(from, partition) && named(to, partition))
    .map(({ partition, low, high }) => {
      // `high` was read first: what the log got since is not in the span.
      const [start, end] = [starts.get(partition) ?? low, ends.get(partition) ?? high].map(
        (offset) => Math.min(Number(offset), Number(high)),
      ) as [number, number];
      return { topic, partition, from: start, to: end };
    });
  if (spans.some(isReversed) && spans.every(({ from: start, to: end }) => end <= start)) {
    throw new CommandFailedError('empty_range', `${to.text} lies before ${from.text} in ${topic}.`);
  }
  return spans.map((span) => (isReversed(span) ? { ...span, to: span.from } : span));
}

function isReversed({ from, to }: Span): boolean {
  return to < from;
}

export function recordsIn(spans: readonly Span[]): number {
  return spans.reduce((sum, { from, to }) => sum + to - from, 0);
}

/** Records that follow each other, and the place behind them. */
export interface WalkedBatch {
  readonly records: readonly LogRecord[];
  readonly after: SpanPlace;
  /** The place behind one of the records. */
  readonly behind: (record: LogRecord) => SpanPlace;
}

/**
 * Reads the spans one after the other, from a place on. What retention has removed in the
 * meantime is left out: it can be neither read nor missed.
 */
export async function* walkSpans(
  log: EventLog,
  spans: readonly Span[],
  place: SpanPlace | null = null,
): AsyncGenerator<WalkedBatch> {
  for (let span = place?.span ?? 0; span < spans.length; span += 1) {
    const { topic, partition, from, to } = spans[span]!;
    const range = (await log.ranges(topic)).find((held) => held.partition === partition);
    const wanted = place?.span === span ? place.next : from;
    const start = Math.max(wanted, Number(range?.low ?? 0n));
    if (start >= to) continue;
    const batches = log.read(topic, {
      from: { at: 'offsets', offsets: new Map([[partition, BigInt(start)]]) },
      to: { at: 'offsets', offsets: new Map([[partition, BigInt(to)]]) },
      partitions: [partition],
      batchRecordsMax: batch_records_max,
    });
    for await (const { records } of batches) {
      const behind = (record: LogRecord) => ({ span, next: Number(record.offset) + 1 });
      yield { records, after: behind(records.at(-1)!), behind };
    }
  }
}

/** Consecutive parts of at most `size`. */
export function partsOf<Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, part) =>
    items.slice(part * size, (part + 1) * size),
  );
}
