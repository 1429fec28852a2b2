import type { LogAck, LogRecordInput } from '../event-log.js';
import { partitionOf } from '../partitioner.js';
import type { KnownTopic } from './kafka-topics.js';
import { messageBytes, toMessage } from './log-records.js';
import type { WireMessage } from './wire.js';

/** What travels in one request, by partition and in the order of the input. */
export type Shipment = ReadonlyMap<number, readonly WireMessage[]>;

export interface ShipmentBounds {
  readonly flushRecordsMax: number;
  readonly flushBytesMax: number;
}

interface Place {
  readonly shipment: number;
  readonly partition: number;
  readonly index: number;
}

/** The head of a batch, and the little by which compression may lengthen what it cannot shrink. */
const batch_overhead_bytes = 1_024;

/**
 * Sorts records into shipments and partitions, keeping their order, and remembers where each one
 * went, so that base offsets can be turned into acknowledgements in input order.
 * @throws RangeError for a record that the topic never takes; then nothing of the plan is sent.
 */
export class AppendPlan {
  readonly shipments: Shipment[] = [];
  private readonly places: Place[] = [];
  private open = new Map<number, WireMessage[]>();
  private openRecords = 0;
  private openBytes = 0;

  constructor(
    private readonly topic: KnownTopic,
    private readonly bounds: ShipmentBounds,
    records: readonly LogRecordInput[],
  ) {
    for (const record of records) this.add(record);
  }

  /** @param bases the first offset of each partition of each shipment. */
  acks(bases: readonly ReadonlyMap<number, bigint>[]): LogAck[] {
    return this.places.map(({ shipment, partition, index }) => ({
      partition,
      offset: bases[shipment]!.get(partition)! + BigInt(index),
    }));
  }

  private add(record: LogRecordInput): void {
    const message = toMessage(record);
    const bytes = messageBytes(message);
    const bytesMax = this.topic.batchBytesMax - batch_overhead_bytes;
    if (bytes > bytesMax) {
      throw new RangeError(
        `A record of topic "${this.topic.name}" takes at most ${bytesMax} bytes; ` +
          `this one has ${bytes}.`,
      );
    }
    const full =
      this.openRecords >= this.bounds.flushRecordsMax ||
      this.openBytes + bytes > Math.min(this.bounds.flushBytesMax, bytesMax);
    if (this.shipments.length === 0 || (full && this.openRecords > 0)) this.begin();
    const partition = partitionOf(record.key, this.topic.partitions);
    const messages = this.open.get(partition) ?? [];
    this.open.set(partition, messages);
    const shipment = this.shipments.length - 1;
    this.places.push({ shipment, partition, index: messages.length });
    messages.push(message);
    this.openRecords += 1;
    this.openBytes += bytes;
  }

  private begin(): void {
    this.open = new Map();
    this.openRecords = 0;
    this.openBytes = 0;
    this.shipments.push(this.open);
  }
}
