/**
 * Gives up what takes too long. Whatever is added and not settled within `waitMsMax` expires,
 * once; a single timer, for the oldest of them, serves all.
 */
export class AnswerDeadline<Request> {
  /** By arrival: the first is the oldest. */
  private readonly open = new Map<Request, number>();
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly waitMsMax: number,
    private readonly expire: (request: Request) => void,
  ) {}

  add(request: Request): void {
    this.open.set(request, performance.now());
    this.timer ??= this.wakeIn(this.waitMsMax);
  }

  settle(request: Request): void {
    this.open.delete(request);
  }

  private wakeIn(waitMs: number): NodeJS.Timeout {
    return setTimeout(() => this.look(), waitMs).unref();
  }

  private look(): void {
    this.timer = null;
    const now = performance.now();
    for (const [request, since] of this.open) {
      // Timers may fire a fraction of a millisecond early.
      const leftMs = Math.ceil(since + this.waitMsMax - now);
      if (leftMs > 0) {
        this.timer = this.wakeIn(leftMs);
        return;
      }
      this.open.delete(request);
      this.expire(request);
    }
  }
}
