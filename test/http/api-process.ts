import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const entry = fileURLToPath(new URL('../faults/faulty-app.main.js', import.meta.url));
const start_ms_max = 30_000;

/** The API in a process of its own, whose memory can be read. */
export class ApiProcess {
  private constructor(
    private readonly child: ChildProcess,
    readonly baseUrl: string,
  ) {}

  static async start(environment: Readonly<Record<string, string>>): Promise<ApiProcess> {
    const child = fork(entry, {
      env: { ...process.env, ...environment, APP: 'api' },
      execArgv: [],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const signal = AbortSignal.timeout(start_ms_max);
    const [message] = (await once(child, 'message', { signal })) as [{ baseUrl: string }];
    return new ApiProcess(child, message.baseUrl);
  }

  /** Most memory the process ever held, in bytes; where the system does not say, what it holds. */
  async peakBytes(): Promise<number> {
    const status = await readFile(`/proc/${this.child.pid}/status`, 'utf8').catch(() => '');
    const peak = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1];
    if (peak !== undefined) return Number(peak) * 1024;
    const metrics = await (await fetch(`${this.baseUrl}/metrics`)).text();
    return Number(/^process_resident_memory_bytes (\S+)$/m.exec(metrics)?.[1]);
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null) return;
    const ended = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    await ended;
  }
}
