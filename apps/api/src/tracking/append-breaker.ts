const failures_max = 3;
const open_ms = 2000;

/**
 * Stops asking a log that keeps failing: after three failures in a row callers are refused at
 * once, and one call every two seconds tries whether it is back.
 */
export class AppendBreaker {
  private failures = 0;
  private trialAt = 0;

  /** Milliseconds to wait when calls are refused now, else 0. Lets one trial through in time. */
  refusedFor(now: number): number {
    if (this.failures < failures_max) return 0;
    if (now >= this.trialAt) {
      this.trialAt = now + open_ms;
      return 0;
    }
    return this.trialAt - now;
  }

  succeeded(): void {
    this.failures = 0;
  }

  failed(now: number): void {
    this.failures += 1;
    if (this.failures >= failures_max) this.trialAt = now + open_ms;
  }

  /** Calls are being refused at this moment; turns false by itself when a trial is due. */
  isRefusing(now: number): boolean {
    return this.failures >= failures_max && now < this.trialAt;
  }
}
