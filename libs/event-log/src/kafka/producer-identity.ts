/** Sequence numbers are signed 32-bit numbers that begin again at zero. */
const sequences = 2 ** 31;

/**
 * What makes repeating a request harmless: the brokers remember the sequence numbers of a producer
 * and store a batch that they know already no second time, but answer where it is.
 */
export class ProducerIdentity {
  private readonly next = new Map<number, number>();

  constructor(
    readonly id: string,
    readonly epoch: number,
  ) {}

  sequenceOf(partition: number): number {
    return this.next.get(partition) ?? 0;
  }

  advance(partition: number, records: number): void {
    this.next.set(partition, (this.sequenceOf(partition) + records) % sequences);
  }
}
