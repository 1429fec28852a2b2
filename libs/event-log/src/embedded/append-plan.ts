import type { LogAck, LogRecordInput } from '../event-log.js';
import { partitionOf } from '../partitioner.js';
import { recordBytes } from '../driver/record-bytes.js';

interface PlannedFrame {
  readonly partition: number;
  readonly records: LogRecordInput[];
  bytes: number;
}

interface Place {
  readonly frame: number;
  readonly index: number;
}

export interface FrameBounds {
  readonly frameRecordsMax: number;
  readonly frameBytesMax: number;
}

/**
 * Sorts records into frames by partition, keeping their order within each, and remembers where
 * each one went, so that base offsets can be turned into acknowledgements in input order.
 */
export class AppendPlan {
  readonly frames: PlannedFrame[] = [];
  private readonly places: Place[] = [];
  private readonly openFrames = new Map<number, number>();

  constructor(
    private readonly partitions: number,
    private readonly bounds: FrameBounds,
  ) {}

  add(record: LogRecordInput): void {
    const partition = partitionOf(record.key, this.partitions);
    const number = this.openFrame(partition, recordBytes(record));
    const { records } = this.frames[number]!;
    this.places.push({ frame: number, index: records.length });
    records.push(record);
  }

  /** @param bases the first offset of each frame. */
  acks(bases: readonly bigint[]): LogAck[] {
    return this.places.map(({ frame, index }) => ({
      partition: this.frames[frame]!.partition,
      offset: bases[frame]! + BigInt(index),
    }));
  }

  private openFrame(partition: number, bytes: number): number {
    const current = this.openFrames.get(partition);
    if (current !== undefined) {
      const frame = this.frames[current]!;
      const fits =
        frame.records.length < this.bounds.frameRecordsMax &&
        frame.bytes + bytes <= this.bounds.frameBytesMax;
      if (fits) {
        frame.bytes += bytes;
        return current;
      }
    }
    this.frames.push({ partition, records: [], bytes });
    this.openFrames.set(partition, this.frames.length - 1);
    return this.frames.length - 1;
  }
}
