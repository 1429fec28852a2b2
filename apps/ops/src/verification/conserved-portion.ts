import { fateOf, type ReceivedFacts, type ReceivedFate } from '#domain/claims/received-fate.js';
import type { LogRecord } from '#event-log/event-log.js';
import type { ErasureLedger } from '#postgres/erasures/erasure-ledger.js';
import { placeOf, type Findings } from './findings.js';
import { readAccepted } from './read-accepted.js';
import { readReceived, type ReceivedRecord } from './read-received.js';
import type { SetAsideRecords } from './set-aside.js';
import type { Tally } from './verification.js';

/** What is counted of the log: the fates of received records, and what else there is. */
export type Conservation =
  ReceivedFate | 'received' | 'accepted_copies' | 'accepted_outside_retention';

/** An accepted event of the portion. */
interface AcceptedTrace {
  readonly partition: number;
  readonly offset: number;
  /** Of the claim; 0 when the record cannot be read. */
  readonly receivedAt: number;
  /** Some received record may be what it came from. */
  founded: boolean;
  /** Content of the received record that counts as the accepted one. */
  content: string | null;
}

/** A received record about which the end of the portion decides. */
interface UndecidedRecord {
  readonly place: Pick<LogRecord, 'topic' | 'partition' | 'offset'>;
  readonly facts: Omit<ReceivedFacts, 'erased'>;
}

interface UndecidedEvent {
  erased: boolean;
  readonly records: UndecidedRecord[];
}

/** What is known of the log beside the portion. */
export interface ConservationEvidence {
  /** Partition → what the clerk has committed. */
  readonly committed: ReadonlyMap<number, bigint>;
  readonly erasures: ErasureLedger;
  readonly setAside: SetAsideRecords;
  readonly tally: Tally<Conservation>;
  readonly findings: Findings;
}

/** Characters of a content hash that are remembered: 64 bits. */
const content_characters = 16;

/** The received records of one portion, and what became of them. */
export class ConservedPortion {
  private readonly accepted = new Map<string, AcceptedTrace>();
  private readonly undecided = new Map<string, UndecidedEvent>();
  /** What was accepted before it may have been removed by retention; epoch milliseconds. */
  acceptedHorizon = -Infinity;

  constructor(private readonly evidence: ConservationEvidence) {}

  takeAccepted(record: LogRecord): void {
    const { tally } = this.evidence;
    if (this.accepted.has(record.key)) {
      tally.add('accepted_copies');
      return;
    }
    const message = readAccepted(record);
    if (message !== null) this.checkKey(record, message.eventId);
    this.accepted.set(record.key, {
      partition: record.partition,
      offset: Number(record.offset),
      receivedAt: message?.receivedAt ?? 0,
      founded: false,
      content: null,
    });
  }

  takeReceived(record: LogRecord): void {
    const { tally, committed, setAside, erasures } = this.evidence;
    tally.add('received');
    const reason = setAside.reasonOf(record);
    const trace = this.accepted.get(record.key);
    // What was set aside before it could be accepted may be accepted when it is delivered again.
    if (trace !== undefined && reason !== 'superseded') trace.founded = true;
    const message = reason === null ? readReceived(record) : null;
    if (message !== null) this.checkKey(record, message.claim.eventId);
    const { topic, partition, offset, appendedAt } = record;
    const facts = {
      setAside: reason,
      accepted: trace !== undefined,
      earlier: reason === null && trace !== undefined ? standBeside(trace, message) : 'none',
      judged: offset < (committed.get(partition) ?? 0n),
      acceptedExpired: appendedAt < this.acceptedHorizon,
      quarantineExpired: appendedAt < setAside.horizon,
    } as const;
    const undecided = { place: { topic, partition, offset }, facts };
    if (facts.accepted || reason !== null) return this.decide(record.key, undecided, false);
    const event = this.undecided.get(record.key) ?? { erased: false, records: [] };
    event.records.push(undecided);
    // The clerk judges by the time of the claim, which is that of one of the event's records.
    event.erased ||= message !== null && erasures.covers(message.hashes, message.claim.receivedAt);
    this.undecided.set(record.key, event);
  }

  /** Decides about what is left once everything of the portion was read. */
  settle(acceptedTopic: string, receivedHorizon: number): void {
    for (const [eventId, { erased, records }] of this.undecided) {
      for (const record of records) this.decide(eventId, record, erased);
    }
    const { tally, findings } = this.evidence;
    for (const [eventId, { partition, offset, receivedAt, founded }] of this.accepted) {
      if (founded) continue;
      if (receivedAt < receivedHorizon) tally.add('accepted_outside_retention');
      else {
        const place = placeOf({ topic: acceptedTopic, partition, offset: BigInt(offset) });
        findings.add('unfounded', eventId, place, 'accepted, but never received');
      }
    }
  }

  private decide(eventId: string, { place, facts }: UndecidedRecord, erased: boolean): void {
    const fate = fateOf({ ...facts, erased });
    if (fate === 'lost' || fate === 'contradicted') {
      this.evidence.findings.add(fate, eventId, placeOf(place), why[fate]);
    } else this.evidence.tally.add(fate);
  }

  private checkKey(record: LogRecord, eventId: string): void {
    if (eventId === record.key) return;
    this.evidence.findings.add('misplaced', eventId, placeOf(record), 'its key is another id');
  }
}

/** Lets the record stand as the accepted one unless an earlier one does. */
function standBeside(
  trace: AcceptedTrace,
  message: ReceivedRecord | null,
): ReceivedFacts['earlier'] {
  const content = message?.claim.payloadHash.slice(0, content_characters) ?? 'unreadable';
  if (trace.content !== null) return trace.content === content ? 'same' : 'other';
  trace.content = content;
  return 'none';
}

const why = {
  lost: 'judged, but neither accepted nor set aside, and of nobody who was erased',
  contradicted: 'judged, and of another content than the accepted record of its id',
} as const;
