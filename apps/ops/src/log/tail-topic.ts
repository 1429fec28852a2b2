import { setTimeout as pause } from 'node:timers/promises';
import type { EventLog, LogRecord } from '#event-log/event-log.js';
import { givenPosition, type GivenPosition } from './positions.js';
import { spansOf, walkSpans, type Span } from './spans.js';

const poll_ms = 500;
/** Records shown unless the command says else. */
const limit_default = 20;

export interface TailOptions {
  readonly from?: GivenPosition;
  readonly partition?: number;
  readonly key?: string;
  readonly limit?: number;
  readonly follow?: boolean;
}

/** Where records go; `false` when nobody looks any more. */
export type Show = (records: readonly LogRecord[]) => Promise<boolean>;

/**
 * Hands the newest records to `show`, or with `from` the first ones from there on, in the order of
 * their times; with `follow` also whatever comes, until the signal fires. A limit counts what was
 * there at first, and with `from` also what came.
 */
export async function tailTopic(
  log: EventLog,
  topic: string,
  options: TailOptions,
  show: Show,
  signal: AbortSignal,
): Promise<void> {
  const { from, partition, key, follow = false } = options;
  const newest = from === undefined;
  const limit = options.limit ?? (follow && !newest ? Infinity : limit_default);
  const matches = (record: LogRecord) => key === undefined || record.key === key;
  const choice = { from: from ?? givenPosition('beginning'), to: givenPosition('end'), partition };
  const spans = await spansOf(log, topic, choice);
  // A key may be anywhere; without one, the newest records lie at the ends.
  const searched = newest && key === undefined ? spans.map((span) => endOf(span, limit)) : spans;
  const shown =
    limit === Infinity
      ? await showAll(log, searched, matches, show, signal)
      : await showSome(log, searched, matches, show, { limit, newest, signal });
  if (!follow || shown === null) return;
  const left = newest ? Infinity : limit - shown;
  await showComing(log, topic, spans, left, { matches, show, signal });
}

function endOf(span: Span, records: number): Span {
  return { ...span, from: Math.max(span.from, span.to - records) };
}

type Matches = (record: LogRecord) => boolean;

/** How many there were; null when nobody looks any more. */
async function showAll(
  log: EventLog,
  spans: readonly Span[],
  matches: Matches,
  show: Show,
  signal: AbortSignal,
): Promise<number | null> {
  let shown = 0;
  for await (const { records } of walkSpans(log, spans)) {
    const found = records.filter(matches);
    shown += found.length;
    if (!(await show(found)) || signal.aborted) return null;
  }
  return shown;
}

interface Few {
  readonly limit: number;
  /** The last ones instead of the first. */
  readonly newest: boolean;
  readonly signal: AbortSignal;
}

async function showSome(
  log: EventLog,
  spans: readonly Span[],
  matches: Matches,
  show: Show,
  { limit, newest, signal }: Few,
): Promise<number | null> {
  const found: LogRecord[] = [];
  for (const span of spans) {
    // Of one partition at most `limit` can be among the first or the newest of all.
    const ofSpan: LogRecord[] = [];
    for await (const { records } of walkSpans(log, [span])) {
      ofSpan.push(...records.filter(matches));
      if (newest) ofSpan.splice(0, Math.max(0, ofSpan.length - limit));
      else if (ofSpan.length >= limit) break;
      if (signal.aborted) return null;
    }
    found.push(...ofSpan);
  }
  found.sort((one, other) => one.appendedAt - other.appendedAt);
  const some = newest ? found.slice(-limit) : found.slice(0, limit);
  return (await show(some)) ? some.length : null;
}

async function showComing(
  log: EventLog,
  topic: string,
  shown: readonly Span[],
  limit: number,
  { matches, show, signal }: { matches: Matches; show: Show; signal: AbortSignal },
): Promise<void> {
  let spans = shown;
  let left = limit;
  while (left > 0 && !signal.aborted) {
    await pause(poll_ms, undefined, { signal }).catch(() => undefined);
    const ranges = await log.ranges(topic);
    const ends = new Map(ranges.map(({ partition, high }) => [partition, Number(high)]));
    spans = spans.map((span) => {
      const to = ends.get(span.partition) ?? span.to;
      return { ...span, from: span.to, to };
    });
    const few = { limit: left, newest: false, signal };
    const count = await (left === Infinity
      ? showAll(log, spans, matches, show, signal)
      : showSome(log, spans, matches, show, few));
    if (count === null) return;
    left -= count;
  }
}
