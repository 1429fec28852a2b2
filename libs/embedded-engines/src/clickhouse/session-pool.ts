import { limits } from '../limits.js';
import { ChdbSession, type StatementResult } from './chdb-session.js';
import { isReading, StatementRefusedError, type Statement } from './statement.js';

/** Sessions of one kind and the statements that wait for one of them, first come, first served. */
class SessionQueue {
  private readonly idle: ChdbSession[];
  private readonly waiting: ((session: ChdbSession) => void)[] = [];

  constructor(readonly sessions: readonly ChdbSession[]) {
    this.idle = [...sessions];
  }

  async run(statement: Statement): Promise<StatementResult> {
    const session = this.idle.pop() ?? (await this.next());
    try {
      return await session.run(statement);
    } finally {
      const follower = this.waiting.shift();
      if (follower === undefined) this.idle.push(session);
      else follower(session);
    }
  }

  private next(): Promise<ChdbSession> {
    if (this.waiting.length >= limits.statements_waiting_max) {
      const message = `Too many simultaneous queries: ${this.waiting.length} wait already.`;
      throw new StatementRefusedError(202, 'TOO_MANY_SIMULTANEOUS_QUERIES', message);
    }
    return new Promise((resolve) => this.waiting.push(resolve));
  }
}

/**
 * The engine runs one statement per session at a time and writes are kept in order, so there is
 * one session that writes and a few that read beside it.
 */
export class SessionPool {
  private readonly writer: SessionQueue;
  private readonly readers: SessionQueue;

  constructor(directory: string) {
    this.writer = new SessionQueue([new ChdbSession(directory)]);
    this.readers = new SessionQueue(
      Array.from({ length: limits.reader_sessions }, () => new ChdbSession(directory)),
    );
  }

  run(statement: Statement): Promise<StatementResult> {
    return (isReading(statement.sql) ? this.readers : this.writer).run(statement);
  }

  /** Call it when no statement runs any more. */
  close(): void {
    for (const session of [...this.readers.sessions, ...this.writer.sessions]) session.close();
  }
}
