import type { EventLog } from '#event-log/event-log.js';
import type { Progress } from '../operations/progress.js';
import { recordsByPartition, recordsOf, type CapturedTopic } from './captured-topic.js';
import { Findings, type Finding } from './findings.js';
import { portionsOf, type Portion } from './portions.js';
import { ScatteredKeysError, type Scan } from './scan.js';

/** What a verification says in the end. */
export interface VerificationReport {
  /** Whether nothing was found to be wrong. */
  readonly sound: boolean;
  /** What was compared, with its counts. */
  readonly counts: Readonly<Record<string, number>>;
  /** The counts as a statement for people. */
  readonly statement: readonly string[];
  readonly findings: {
    readonly total: number;
    readonly byKind: Readonly<Record<string, number>>;
    /** The first of them. */
    readonly listed: readonly Finding[];
  };
}

/** Told how much there is to read, and how much was read. */
export type StartProgress = (total: number) => Progress;

/** Sums by name; every name that was ever asked for is there. */
export class Tally<Name extends string> {
  readonly counts: Record<Name, number>;

  constructor(names: readonly Name[]) {
    this.counts = Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>;
  }

  add(name: Name, count = 1): void {
    this.counts[name] += count;
  }
}

/** A run through all portions of a log, with what every look at a portion needs. */
export interface Walk {
  readonly findings: Findings;
  readonly portions: readonly Portion[];
  /** Ids may be in two partitions: every portion takes in all of them. */
  readonly scattered: boolean;
  /** A scan of one topic's part of a portion. */
  scanOf(topic: CapturedTopic, portion: Portion): Scan;
}

/** Topics in which all records of an id share a partition, and others read beside them. */
export interface WalkedTopics {
  readonly keyed: readonly CapturedTopic[];
  readonly beside: readonly CapturedTopic[];
}

/**
 * Walks through the log, and once more from the beginning with all partitions as one when it turns
 * out that keys have moved between partitions.
 */
export async function walkLog<Answer>(
  log: EventLog,
  topics: WalkedTopics,
  startProgress: StartProgress,
  look: (walk: Walk) => Promise<Answer>,
): Promise<Answer> {
  const counts = new Set(topics.keyed.map(({ ranges }) => ranges.length));
  if (counts.size > 1) return walkAs(log, topics, startProgress, true, look);
  try {
    return await walkAs(log, topics, startProgress, false, look);
  } catch (error) {
    if (!(error instanceof ScatteredKeysError)) throw error;
    return walkAs(log, topics, startProgress, true, look);
  }
}

async function walkAs<Answer>(
  log: EventLog,
  { keyed, beside }: WalkedTopics,
  startProgress: StartProgress,
  scattered: boolean,
  look: (walk: Walk) => Promise<Answer>,
): Promise<Answer> {
  const portions = portionsOf(recordsByPartition(...keyed), scattered);
  const findings = new Findings();
  const progress = startProgress(recordsRead(portions, keyed, beside));
  let read = 0;
  const onRead = (records: number): void => progress.show((read += records));
  try {
    return await look({
      findings,
      portions,
      scattered,
      scanOf: (topic, portion) => ({ log, topic, portion, onRead, scattered }),
    });
  } finally {
    progress.end();
  }
}

/** How many records are read in all, those that are read for several slices counted each time. */
function recordsRead(
  portions: readonly Portion[],
  keyed: readonly CapturedTopic[],
  beside: readonly CapturedTopic[],
): number {
  const all = beside.reduce((total, topic) => total + recordsOf(topic), 0);
  return portions.reduce(
    (total, portion) =>
      total + all + keyed.reduce((sum, topic) => sum + recordsOf(topic, portion), 0),
    0,
  );
}

/** The report of a walk: sound when nothing was found. */
export function toReport(
  findings: Findings,
  counts: Readonly<Record<string, number>>,
  statement: readonly string[],
): VerificationReport {
  const { total, byKind, listed } = findings;
  return { sound: total === 0, counts, statement, findings: { total, byKind, listed } };
}
