import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { AppenderOrder, ChildMessage, MemberOrder } from '../testing/child-messages.js';

/** A real process beside the test, with everything it has said so far. */
export class LogChild {
  readonly messages: ChildMessage[] = [];
  private exited = false;

  private constructor(private readonly child: ChildProcess) {
    child.on('message', (message) => this.messages.push(message as ChildMessage));
    child.on('exit', () => {
      this.exited = true;
    });
  }

  static appender(order: AppenderOrder): LogChild {
    return LogChild.start('appending-child.js', order);
  }

  static member(order: MemberOrder): LogChild {
    return LogChild.start('consuming-child.js', order);
  }

  private static start(script: string, order: AppenderOrder | MemberOrder): LogChild {
    const path = fileURLToPath(new URL(`../testing/${script}`, import.meta.url));
    return new LogChild(fork(path, [JSON.stringify(order)], { execArgv: [] }));
  }

  said<Kind extends ChildMessage['kind']>(kind: Kind): Extract<ChildMessage, { kind: Kind }>[] {
    return this.messages.filter(
      (message): message is Extract<ChildMessage, { kind: Kind }> => message.kind === kind,
    );
  }

  /** What the child said it owned when it last spoke of it. */
  assignment(): readonly number[] {
    return this.said('assignment').at(-1)?.partitions ?? [];
  }

  say(word: string): void {
    this.child.send(word);
  }

  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.child.kill(signal);
  }

  /** Ends it with -9 unless it has ended, and waits until it is gone. */
  async kill(): Promise<void> {
    if (this.exited) return;
    const gone = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.kill('SIGKILL');
    await gone;
  }
}
