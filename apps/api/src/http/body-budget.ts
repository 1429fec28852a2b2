import { ProblemError } from '#domain/errors.js';

/** Up to this size a body counts as small. */
const small_bytes_max = 1024 * 1024;

/**
 * Bytes of request bodies that the process holds at once: the bound of its memory. What bodies
 * have above one mebibyte may fill only half of it, so that a few large ones, sent slowly, cannot
 * keep everybody else out.
 */
export class BodyBudget {
  private held = 0;
  private heldByLarge = 0;

  constructor(private readonly bytesMax: number) {}

  get bytesHeld(): number {
    return this.held;
  }

  open(): BodyShare {
    return new BodyShare(this);
  }

  /** @throws ProblemError `overloaded` when the bytes do not fit beside those of other requests. */
  take(bytes: number, large: number): void {
    if (this.held + bytes > this.bytesMax || this.heldByLarge + large > this.bytesMax / 2) {
      throw new ProblemError('overloaded', 'Too many request bodies are under way.', {
        retryAfterSeconds: 1,
      });
    }
    this.held += bytes;
    this.heldByLarge += large;
  }

  giveBack(bytes: number, large: number): void {
    this.held -= bytes;
    this.heldByLarge -= large;
  }
}

/** The part of the budget that one request holds. */
export class BodyShare {
  private bytes = 0;
  private large = 0;

  constructor(private readonly budget: BodyBudget) {}

  get bytesHeld(): number {
    return this.bytes;
  }

  /** @throws ProblemError `overloaded`; what was taken before stays taken. */
  take(bytes: number): void {
    const large = Math.max(0, this.bytes + bytes - small_bytes_max) - this.large;
    this.budget.take(bytes, large);
    this.bytes += bytes;
    this.large += large;
  }

  /** Gives everything back; a second call does nothing. */
  release(): void {
    this.budget.giveBack(this.bytes, this.large);
    this.bytes = 0;
    this.large = 0;
  }
}
