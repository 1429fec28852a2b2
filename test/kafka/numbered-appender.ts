import { LogUnavailableError, type EventLog, type LogAck } from '#event-log/event-log.js';

/** An append as its caller saw it. */
export interface SettledAppend {
  readonly acknowledged: boolean;
  readonly tookMs: number;
}

/** Appends numbered records one call after the other and remembers what was acknowledged. */
export class NumberedAppender {
  readonly acked = new Map<string, LogAck>();
  readonly settled: SettledAppend[] = [];
  private stopped = false;

  constructor(
    private readonly log: EventLog,
    private readonly topic: string,
    private readonly name: string,
  ) {}

  async run(): Promise<void> {
    for (let call = 0; !this.stopped; call += 1) {
      const names = Array.from({ length: 20 }, (_, index) => `${this.name}-${call}-${index}`);
      const startedAt = performance.now();
      const acknowledged = await this.append(names);
      this.settled.push({ acknowledged, tookMs: performance.now() - startedAt });
    }
  }

  stop(): void {
    this.stopped = true;
  }

  private async append(names: readonly string[]): Promise<boolean> {
    try {
      const acks = await this.log.append(
        this.topic,
        names.map((name) => ({ key: name, value: Buffer.from(name) })),
      );
      names.forEach((name, index) => this.acked.set(name, acks[index]!));
      return true;
    } catch (error) {
      if (error instanceof LogUnavailableError) return false;
      throw error;
    }
  }
}
