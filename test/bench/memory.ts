import { readFile } from 'node:fs/promises';

const look_ms = 50;

/** The most memory that some processes had at once, looked at while something runs. */
export class PeakMemory {
  private peakBytes = 0;
  private timer: NodeJS.Timeout | null = null;

  constructor(private readonly pids: readonly number[]) {}

  start(): void {
    this.peakBytes = 0;
    this.timer = setInterval(() => void this.look(), look_ms);
  }

  /** Resident bytes; NaN where the kernel does not tell. */
  async stop(): Promise<number> {
    clearInterval(this.timer ?? undefined);
    await this.look();
    return this.peakBytes;
  }

  private async look(): Promise<void> {
    const sizes = await Promise.all(this.pids.map((pid) => residentBytes(pid)));
    this.peakBytes = Math.max(
      this.peakBytes,
      sizes.reduce((total, size) => total + size, 0),
    );
  }
}

async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? Number.NaN) * 1024;
}
