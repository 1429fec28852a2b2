import { ProblemError } from '#domain/errors.js';

/** Bytes of request bodies that the process holds at once; the bound of its memory. */
export class BodyBudget {
  private held = 0;

  constructor(private readonly bytesMax: number) {}

  /** @throws ProblemError `overloaded` when the bytes do not fit beside those of other requests. */
  take(bytes: number): void {
    if (this.held + bytes > this.bytesMax) {
      throw new ProblemError('overloaded', 'Too many request bodies are under way.', {
        retryAfterSeconds: 1,
      });
    }
    this.held += bytes;
  }

  release(bytes: number): void {
    this.held -= bytes;
  }

  get bytesHeld(): number {
    return this.held;
  }
}
