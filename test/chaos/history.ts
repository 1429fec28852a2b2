import type { Attempt } from './attempt.js';
import { enterAttempt, type KeyRecord } from './key-record.js';

/** Everything that clients sent and were answered; it only grows. */
export class History {
  private readonly recorded: Attempt[] = [];
  private readonly keys = new Map<string, KeyRecord>();
  private taken = 0;

  record(attempt: Attempt): void {
    this.recorded.push(attempt);
    enterAttempt(this.keys, attempt);
  }

  attempts(): readonly Attempt[] {
    return this.recorded;
  }

  /** What is known of every key by now. */
  records(): ReadonlyMap<string, KeyRecord> {
    return this.keys;
  }

  /** The attempts recorded since this was asked the last time. */
  takeFresh(): readonly Attempt[] {
    const fresh = this.recorded.slice(this.taken);
    this.taken = this.recorded.length;
    return fresh;
  }
}
