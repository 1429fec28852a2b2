import {
  projectedFateOf,
  type ProjectedFate,
  type RecordPlace,
} from '#domain/usage/projected-event.js';
import type { LogRecord, PartitionRange } from '#event-log/event-log.js';
import type { ErasureLedger } from '#postgres/erasures/erasure-ledger.js';
import { kept_days } from '#read-models/column-types.js';
import type { RowPlace } from '#read-models/usage-events/row-places.reader.js';
import type { CapturedTopic } from './captured-topic.js';
import { placeOf, type Findings } from './findings.js';
import { readAccepted } from './read-accepted.js';
import type { SetAsideRecords } from './set-aside.js';
import type { Tally } from './verification.js';

/** What is counted of a projection. */
export type ProjectionCount =
  | ProjectedFate
  | 'events'
  | 'accepted_copies'
  | 'records_set_aside'
  | 'rows_older_than_log'
  | 'rows_since';

interface EventTrace {
  due: RecordPlace | null;
  newest: RecordPlace;
  /** Of the newest record. */
  devKey: string;
  readonly occurredAt: number;
  row: RowPlace | null;
}

export interface ProjectionEvidence {
  /** Partition → what the projection has committed. */
  readonly committed: ReadonlyMap<number, bigint>;
  readonly accepted: CapturedTopic;
  readonly erasures: ErasureLedger;
  readonly setAside: SetAsideRecords;
  readonly tally: Tally<ProjectionCount>;
  readonly findings: Findings;
}

const day_ms = 86_400_000;

/** The accepted events of one portion beside their rows. */
export class ProjectedPortion {
  private readonly events = new Map<string, EventTrace>();
  private readonly ranges: ReadonlyMap<number, PartitionRange>;

  constructor(
    private readonly evidence: ProjectionEvidence,
    private readonly table: string,
  ) {
    const { ranges } = evidence.accepted;
    this.ranges = new Map(ranges.map((range) => [range.partition, range]));
  }

  takeRecord(record: LogRecord): void {
    const { setAside, tally, findings } = this.evidence;
    if (setAside.reasonOf(record) !== null) {
      tally.add('records_set_aside');
      return;
    }
    const place = { partition: record.partition, offset: Number(record.offset) };
    const due = this.isCommitted(place);
    const message = readAccepted(record);
    if (message === null) {
      const late = record.appendedAt >= setAside.horizon;
      if (due && late) findings.add('unreadable', record.key, placeOf(record), why.unreadable);
      return;
    }
    const known = this.events.get(message.eventId);
    if (known === undefined) {
      tally.add('events');
      const { devKey, occurredAt } = message;
      const trace = { due: due ? place : null, newest: place, devKey, occurredAt, row: null };
      this.events.set(message.eventId, trace);
      return;
    }
    tally.add('accepted_copies');
    if (place.offset > known.newest.offset) {
      known.newest = place;
      known.devKey = message.devKey;
    }
    if (due && place.offset > (known.due?.offset ?? -1)) known.due = place;
  }

  /** Compares the events with the rows of the portion. */
  settle(rows: readonly RowPlace[]): void {
    for (const row of rows) this.takeRow(row);
    const { tally, findings, erasures, accepted } = this.evidence;
    const expiredBefore = accepted.at - kept_days * day_ms;
    for (const [eventId, { due, newest, devKey, occurredAt, row }] of this.events) {
      const fate = projectedFateOf({
        due,
        row,
        rowUncommitted: row !== null && !this.isCommitted(row),
        erased: erasures.hasKey(row?.devKey ?? devKey),
        expired: occurredAt < expiredBefore,
      });
      if (fate !== 'missing' && fate !== 'misplaced' && fate !== 'not_erased') tally.add(fate);
      else findings.add(fate, eventId, this.placeIn(due ?? newest), this.reasonFor(fate, row));
    }
  }

  private takeRow(row: RowPlace): void {
    const { tally, findings } = this.evidence;
    const { low, high } = this.ranges.get(row.partition)!;
    const trace = this.events.get(row.eventId);
    if (trace !== undefined) {
      if (trace.row !== null) findings.add('doubled', row.eventId, this.table, why.doubled);
      else trace.row = row;
    } else if (row.offset >= Number(high)) tally.add('rows_since');
    else if (row.offset < Number(low)) tally.add('rows_older_than_log');
    else findings.add('unexpected', row.eventId, this.table, this.reasonFor('unexpected', row));
  }

  private isCommitted({ partition, offset }: RecordPlace): boolean {
    return offset < Number(this.evidence.committed.get(partition) ?? 0n);
  }

  private reasonFor(kind: keyof typeof why, row: RowPlace | null): string {
    return row === null ? why[kind] : `${why[kind]}; the row is of ${this.placeIn(row)}`;
  }

  private placeIn({ partition, offset }: RecordPlace): string {
    return placeOf({ topic: this.evidence.accepted.name, partition, offset: BigInt(offset) });
  }
}

const why = {
  missing: 'committed by the projection, but there is no row',
  misplaced: 'the row comes from another record than the newest one',
  not_erased: 'the developer was erased; an erasure may be running, or unfinished',
  doubled: 'more than one row of this event',
  unexpected: 'no accepted event of this id is in the log',
  unreadable: 'it cannot be read and was not set aside',
} as const;
