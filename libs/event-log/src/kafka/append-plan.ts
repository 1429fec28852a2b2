import type { LogAck, LogRecordInput } from '../event-log.js';
import { recordBytes } from '../driver/record-bytes.js';
import { partitionOf } from '../partitioner.js';
import type { KnownTopic } from './kafka-topics.js';
import { ByteWriter } from './record-batch/byte-writer.js';
import { RecordBatch, writeRecord } from './record-batch/record-batch.js';
import { batch_overhead_bytes } from './topic-settings.js';

/** What travels in one request, by partition and in the order of the input. */
export type Shipment = ReadonlyMap<number, RecordBatch>;

export interface ShipmentBounds {
  readonly flushRecordsMax: number;
  readonly flushBytesMax: number;
}

interface Place {
  readonly shipment: number;
  readonly partition: number;
  readonly index: number;
}

/** What a record gets in its batch: its length and its place. */
const record_overhead_bytes = 12;
/** How much more than its part a partition often gets. */
const uneven_share = 1.3;

/**
 * Sorts records into shipments and partitions, keeping their order, and remembers where each one
 * went, so that base offsets can be turned into acknowledgements in input order.
 * @throws RangeError for a record that the topic never takes; then nothing of the plan is sent.
 */
export class AppendPlan {
  readonly shipments: Shipment[] = [];
  private readonly places: Place[] = [];
  private readonly written = new ByteWriter();
  private open = new Map<number, RecordBatch>();
  private openRecords = 0;
  private openBytes = 0;
  private readonly batchBytes: number;

  constructor(
    private readonly topic: KnownTopic,
    private readonly bounds: ShipmentBounds,
    records: readonly LogRecordInput[],
  ) {
    this.batchBytes = this.expectedBatchBytes(records);
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
    const { written } = this;
    written.clear();
    writeRecord(written, record);
    const bytes = written.length + record_overhead_bytes;
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
    const batch = this.open.get(partition) ?? new RecordBatch(this.batchBytes);
    this.open.set(partition, batch);
    const shipment = this.shipments.length - 1;
    this.places.push({ shipment, partition, index: batch.count });
    batch.add(written);
    this.openRecords += 1;
    this.openBytes += bytes;
  }

  /** Room for a batch that gets somewhat more than its part of the records. */
  private expectedBatchBytes(records: readonly LogRecordInput[]): number {
    const parts = Math.min(records.length, this.topic.partitions);
    const bytes = records.reduce((sum, record) => sum + recordBytes(record), 0);
    const part = Math.min(1, this.bounds.flushRecordsMax / Math.max(1, records.length));
    const most = Math.min(bytes * part, this.bounds.flushBytesMax);
    return batch_overhead_bytes + Math.ceil((most / Math.max(1, parts)) * uneven_share);
  }

  private begin(): void {
    this.open = new Map();
    this.openRecords = 0;
    this.openBytes = 0;
    this.shipments.push(this.open);
  }
}
