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

  /** Whoever is given up while it waits outside is let go at once, with the signal's reason. */
  async pass<T>(size: number, givenUp: AbortSignal, work: () => Promise<T>): Promise<T> {
    if (this.inside >= this.sizeMax || this.waiting.length > 0) await this.wait(size, givenUp);
    else this.inside += size;
    try {
      return await work();
    } finally {
      this.inside -= size;
      this.admit();
    }
  }

  private wait(size: number, givenUp: AbortSignal): Promise<void> {
    return new Promise((enter, reject) => {
      const one = { size, enter };
      this.waiting.push(one);
      const leave = () => {
        const at = this.waiting.indexOf(one);
        if (at === -1) return;
        this.waiting.splice(at, 1);
        reject(givenUp.reason as Error);
      };
      givenUp.addEventListener('abort', leave, { once: true });
    });
  }

  private admit(): void {
    while (this.waiting.length > 0 && this.inside < this.sizeMax) {
      const { size, enter } = this.waiting.shift()!;
      this.inside += size;
      enter();
    }
  }
}
