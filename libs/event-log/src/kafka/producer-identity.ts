import type { BatchOrigin } from './record-batch/stored-batch.js';

/** Sequence numbers are signed 32-bit numbers that begin again at zero. */
const sequences = 2 ** 31;

/**
 * What makes repeating a request harmless: the brokers remember the sequence numbers of a producer
 * and store a batch that they know already no second time, but answer where it is.
 */
export class ProducerIdentity {
  private readonly next = new Map<number, number>();

  constructor(
    private readonly id: bigint,
    private readonly epoch: number,
  ) {}

  /** What the next batch of this partition says of its producer. */
  originOf(partition: number): BatchOrigin {
    return {
      producerId: this.id,
      producerEpoch: this.epoch,
      sequence: this.next.get(partition) ?? 0,
    };
  }

  advance(partition: number, records: number): void {
    this.next.set(partition, (this.originOf(partition).sequence + records) % sequences);
  }
}
