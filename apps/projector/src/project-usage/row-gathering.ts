/** Rows of one delivered batch, encoded, and what becomes true when they are stored. */
export interface GatheredBatch {
  readonly partition: number;
  /** One past the last record that the rows came from. */
  readonly nextOffset: bigint;
  readonly rows: number;
  /** The rows in the format of the insert, one after the other. */
  readonly body: string;
  /** UTC days of the rows. */
  readonly days: ReadonlySet<string>;
}

export interface GatheringLimits {
  /** Most rows stored at once; a batch is never cut. */
  readonly rowsMax: number;
  /** Rows that are stored without waiting for more. */
  readonly rowsEnough: number;
  /** Longest wait for more rows, in milliseconds. */
  readonly waitMs: number;
}

interface Waiting {
  readonly batch: GatheredBatch;
  readonly stored: () => void;
  readonly failed: (error: unknown) => void;
}

/**
 * Joins the rows of partitions that are delivered at the same time into large inserts, because the
 * column store pays for each insert. One insert runs at a time; what arrives meanwhile gathers.
 * Bounded by its callers: each partition has at most one batch in here.
 */
export class RowGathering {
  private waiting: Waiting[] = [];
  private rows = 0;
  private storing = false;
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly limits: GatheringLimits,
    private readonly store: (batches: readonly GatheredBatch[]) => Promise<void>,
  ) {}

  /** Resolves when the rows are stored; rejects with what kept them, and keeps nothing. */
  add(batch: GatheredBatch): Promise<void> {
    return new Promise((stored, failed) => {
      this.waiting.push({ batch, stored, failed });
      this.rows += batch.rows;
      this.consider();
    });
  }

  private consider(): void {
    if (this.storing || this.waiting.length === 0) return;
    if (this.rows >= this.limits.rowsEnough) void this.storeNext();
    else this.timer ??= setTimeout(() => void this.storeNext(), this.limits.waitMs);
  }

  private async storeNext(): Promise<void> {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    this.storing = true;
    const taken = this.take();
    try {
      await this.store(taken.map(({ batch }) => batch));
      for (const { stored } of taken) stored();
    } catch (error) {
      for (const { failed } of taken) failed(error);
    } finally {
      this.storing = false;
      this.consider();
    }
  }

  private take(): Waiting[] {
    let rows = 0;
    let count = 0;
    for (const { batch } of this.waiting) {
      if (count > 0 && rows + batch.rows > this.limits.rowsMax) break;
      rows += batch.rows;
      count += 1;
    }
    this.rows -= rows;
    return this.waiting.splice(0, count);
  }
}
