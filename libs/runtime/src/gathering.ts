export interface GatheringLimits {
  /** Largest size handled at once; a batch is never cut. */
  readonly sizeMax: number;
  /** Size that is handled without waiting for more. */
  readonly sizeEnough: number;
  /** Longest wait for more, in milliseconds. */
  readonly waitMs: number;
}

interface Waiting<Batch> {
  readonly batch: Batch;
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

/**
 * Joins batches that are delivered at the same time, for stores that ask a price for each call and
 * not for each row. One call runs at a time; what arrives meanwhile gathers. Bounded by its
 * callers: each partition has at most one batch in here.
 */
export class Gathering<Batch> {
  private waiting: Waiting<Batch>[] = [];
  private size = 0;
  private running = false;
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly limits: GatheringLimits,
    private readonly sizeOf: (batch: Batch) => number,
    private readonly handle: (batches: readonly Batch[]) => Promise<void>,
  ) {}

  /** Resolves when the batch was handled; rejects with what kept it, and keeps nothing. */
  add(batch: Batch): Promise<void> {
    return new Promise((done, failed) => {
      this.waiting.push({ batch, done, failed });
      this.size += this.sizeOf(batch);
      this.consider();
    });
  }

  private consider(): void {
    if (this.running || this.waiting.length === 0) return;
    if (this.size >= this.limits.sizeEnough) void this.handleNext();
    else this.timer ??= setTimeout(() => void this.handleNext(), this.limits.waitMs);
  }

  private async handleNext(): Promise<void> {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    this.running = true;
    const taken = this.take();
    try {
      await this.handle(taken.map(({ batch }) => batch));
      for (const { done } of taken) done();
    } catch (error) {
      for (const { failed } of taken) failed(error);
    } finally {
      this.running = false;
      this.consider();
    }
  }

  private take(): Waiting<Batch>[] {
    let size = 0;
    let count = 0;
    for (const { batch } of this.waiting) {
      const grown = size + this.sizeOf(batch);
      if (count > 0 && grown > this.limits.sizeMax) break;
      size = grown;
      count += 1;
    }
    this.size -= size;
    return this.waiting.splice(0, count);
  }
}
