import type { Claim } from '#domain/claims/claim.js';

type Held = ReadonlyMap<string, Claim>;

interface Asked {
  readonly eventIds: readonly string[];
  readonly answer: (held: Held) => void;
  readonly fail: (error: unknown) => void;
}

/**
 * Looks claims up for many requests at once: one statement is under way, whatever comes meanwhile
 * shares the next one. So lookups take one connection from those who store.
 */
export class ClaimLookups {
  private waiting: Asked[] = [];
  private busy = false;

  constructor(private readonly lookUp: (eventIds: readonly string[]) => Promise<Held>) {}

  /** The claims that hold any of the ids, and perhaps others. Rejects as the lookup does. */
  find(eventIds: readonly string[]): Promise<Held> {
    return new Promise((answer, fail) => {
      this.waiting.push({ eventIds, answer, fail });
      if (!this.busy) void this.run();
    });
  }

  private async run(): Promise<void> {
    this.busy = true;
    while (this.waiting.length > 0) {
      const asked = this.waiting;
      this.waiting = [];
      try {
        const held = await this.lookUp(asked.flatMap(({ eventIds }) => eventIds));
        for (const { answer } of asked) answer(held);
      } catch (error) {
        for (const { fail } of asked) fail(error);
      }
    }
    this.busy = false;
  }
}
