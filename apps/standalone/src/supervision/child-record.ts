import { readFile, rename, writeFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { birthOf } from '#embedded-engines/running-process.js';
import { limits } from '../limits.js';

interface RecordedChild {
  readonly pid: number;
  readonly birth: string;
}

/**
 * Which processes this start has running, kept in a file: children end by themselves when their
 * parent is killed, and the next start ends those that did not.
 */
export class ChildRecord {
  private readonly children = new Map<string, RecordedChild>();
  private writing: Promise<void> = Promise.resolve();

  constructor(private readonly file: string) {}

  async remember(name: string, pid: number): Promise<void> {
    const birth = await birthOf(pid);
    if (birth === null) return;
    this.children.set(name, { pid, birth });
    this.writing = this.writing.then(() => this.write());
    await this.writing;
  }

  /** Ends what an earlier start left running; call it before anything is started. */
  async endOrphans(): Promise<void> {
    const text = await readFile(this.file, 'utf8').catch(() => '{}');
    const left = Object.values(parse(text));
    await Promise.all(left.map((child) => endOrphan(child)));
  }

  private async write(): Promise<void> {
    const draft = `${this.file}.new`;
    await writeFile(draft, JSON.stringify(Object.fromEntries(this.children)), { mode: 0o600 });
    await rename(draft, this.file);
  }
}

/** SIGINT asks the apps and both engines for an orderly end. */
async function endOrphan(child: RecordedChild): Promise<void> {
  for (const signal of ['SIGINT', 'SIGKILL'] as const) {
    const deadline = Date.now() + limits.orphan_wait_ms;
    if (await runs(child)) signalQuietly(child.pid, signal);
    while ((await runs(child)) && Date.now() < deadline) await pause(limits.ready_poll_ms);
  }
}

/** The moment of birth tells a child from another program that has its id by now. */
async function runs({ pid, birth }: RecordedChild): Promise<boolean> {
  return (await birthOf(pid)) === birth;
}

function signalQuietly(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended in the meantime, which is what was wanted.
  }
}

function parse(text: string): Record<string, RecordedChild> {
  try {
    return JSON.parse(text) as Record<string, RecordedChild>;
  } catch {
    return {};
  }
}
