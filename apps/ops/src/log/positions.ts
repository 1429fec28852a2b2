import { InvalidArgumentError } from 'commander';
import type { EventLog, LogPosition, PartitionRange } from '#event-log/event-log.js';
import { durationMs } from '#runtime/duration.js';
import { moment, parseMoment } from '../arguments.js';
import { CommandFailedError } from '../command-failed.js';

/** A position as it was written, kept for the audit, and what it means. */
export interface GivenPosition {
  readonly text: string;
  readonly position: LogPosition;
}

/** `beginning`, `end`, `PT1H` (ago), `2026-03-01T09:00:00Z`, or offsets `0:15,3:20`. */
export function givenPosition(text: string): GivenPosition {
  if (text === 'beginning' || text === 'end') return { text, position: { at: text } };
  const offsets = parseOffsets(text);
  if (offsets !== null) return { text, position: { at: 'offsets', offsets } };
  const time = parseTime(text);
  if (time !== null) return { text, position: { at: 'time', time } };
  throw new InvalidArgumentError(
    'beginning, end, a time such as 2026-03-01T09:00:00Z, a duration ago such as PT1H, ' +
      'or offsets by partition such as 0:15,3:20.',
  );
}

export function givenOffsets(text: string): GivenPosition {
  const offsets = parseOffsets(text);
  if (offsets !== null) return { text, position: { at: 'offsets', offsets } };
  throw new InvalidArgumentError('Offsets by partition, each once, for example 0:15,3:20.');
}

export function givenTime(text: string): GivenPosition {
  return { text, position: { at: 'time', time: moment(text) } };
}

export function givenDuration(text: string): GivenPosition {
  const ms = durationMs(text);
  if (ms !== null && ms <= Date.now()) {
    return { text, position: { at: 'time', time: new Date(Date.now() - ms) } };
  }
  throw new InvalidArgumentError('An ISO 8601 duration, for example PT1H: so long ago.');
}

export function givenEnd(text: string): GivenPosition {
  if (text === 'beginning' || text === 'end') return { text, position: { at: text } };
  throw new InvalidArgumentError('beginning or end.');
}

function parseTime(text: string): Date | null {
  const ms = durationMs(text);
  return ms !== null && ms <= Date.now() ? new Date(Date.now() - ms) : parseMoment(text);
}

function parseOffsets(text: string): ReadonlyMap<number, bigint> | null {
  if (!/^\d{1,6}:\d{1,18}(,\d{1,6}:\d{1,18})*$/.test(text)) return null;
  const pairs = text.split(',').map((pair) => pair.split(':') as [string, string]);
  const offsets = new Map(pairs.map(([at, offset]) => [Number(at), BigInt(offset)]));
  return offsets.size === pairs.length ? offsets : null;
}

/**
 * The offset that a position means in each partition that it speaks of.
 * @throws CommandFailedError when it names an offset that the log does not hold.
 */
export async function offsetsAt(
  log: EventLog,
  topic: string,
  { position }: GivenPosition,
  ranges: readonly PartitionRange[],
): Promise<ReadonlyMap<number, bigint>> {
  switch (position.at) {
    case 'beginning':
      return new Map(ranges.map(({ partition, low }) => [partition, low]));
    case 'end':
      return new Map(ranges.map(({ partition, high }) => [partition, high]));
    case 'time':
      return log.offsetsAt(topic, position.time);
    case 'offsets':
      for (const [partition, offset] of position.offsets) {
        const range = ranges.find((candidate) => candidate.partition === partition);
        expectWithin(topic, partition, offset, range);
      }
      return position.offsets;
  }
}

function expectWithin(
  topic: string,
  partition: number,
  offset: bigint,
  range: PartitionRange | undefined,
): void {
  if (range === undefined) {
    throw new CommandFailedError(
      'partition_not_found',
      `${topic} has no partition ${partition}; "ops log describe ${topic}" shows them.`,
    );
  }
  if (offset < range.low || offset > range.high) {
    throw new CommandFailedError(
      'offset_out_of_range',
      `${topic}/${partition} holds ${range.low} to ${range.high}, not ${offset}; ` +
        `"ops log describe ${topic}" shows what is kept.`,
    );
  }
}
