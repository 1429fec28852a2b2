interface Waiting {
  readonly size: number;
  readonly enter: () => void;
}

/**
 * Lets work in, in its order, while what is inside measures less than `sizeMax`, or nothing is.
 * What waits outside holds nothing but its input.
 */
export class WorkGate {
  private readonly waiting: Waiting[] = [];
  private inside = 0;

  constructor(private readonly sizeMax: number) {}

  async pass<T>(size: number, work: () => Promise<T>): Promise<T> {
    if (this.inside >= this.sizeMax || this.waiting.length > 0) {
      await new Promise<void>((enter) => this.waiting.push({ size, enter }));
    } else this.inside += size;
    try {
      return await work();
    } finally {
      this.inside -= size;
      this.admit();
    }
  }

  private admit(): void {
    while (this.waiting.length > 0 && this.inside < this.sizeMax) {
      const { size, enter } = this.waiting.shift()!;
      this.inside += size;
      enter();
    }
  }
}
