import {
  LogBackpressureError,
  LogUnavailableError,
  type LogAck,
  type LogRecordInput,
} from '../event-log.js';
import { recordBytes } from './record-bytes.js';

export interface AppendQueueLimits {
  /** Longest an append waits, queue and retries included, in milliseconds. */
  readonly appendDeadlineMs: number;
  /** Records of one topic that wait for an append before callers are pushed back. */
  readonly queueRecordsMax: number;
  readonly queueBytesMax: number;
  /** What shares one flush; a single larger call travels alone. */
  readonly flushRecordsMax: number;
  readonly flushBytesMax: number;
}

/** A call was given up while its flush was prepared: the flush begins anew without it. */
export class CallGivenUpError extends Error {}

/**
 * Stores records and answers where each one landed. It calls `leaving` before anything is sent:
 * whoever gives up earlier knows that nothing was stored. `leaving` throws CallGivenUpError when
 * somebody has; then nothing may be sent.
 * @throws RangeError before anything is sent, for a record that can never be stored.
 */
export type Flush = (
  records: readonly LogRecordInput[],
  leaving: () => void,
) => Promise<readonly LogAck[]>;

interface WaitingCall {
  readonly records: readonly LogRecordInput[];
  readonly bytes: number;
  sent: boolean;
  settled: boolean;
  readonly settle: (outcome: readonly LogAck[] | Error) => void;
}

/**
 * Natural group commit for one topic: an idle queue flushes at once; what arrives while a flush
 * runs shares the next one. One flush at a time keeps the order of calls. A call is never split.
 */
export class AppendQueue {
  private readonly waiting: WaitingCall[] = [];
  private waitingRecords = 0;
  private waitingBytes = 0;
  private flushing: Promise<void> | null = null;
  private flushMs = 0;

  constructor(
    private readonly flush: Flush,
    private readonly limits: AppendQueueLimits,
  ) {}

  /** @throws LogBackpressureError, LogUnavailableError; RangeError for a call that never fits. */
  append(records: readonly LogRecordInput[], signal?: AbortSignal): Promise<readonly LogAck[]> {
    const bytes = records.reduce((sum, record) => sum + recordBytes(record), 0);
    this.admit(records.length, bytes);
    if (signal?.aborted) {
      return Promise.reject(new LogUnavailableError('the caller gave up', false, signal.reason));
    }
    return new Promise((resolve, reject) => {
      const call: WaitingCall = {
        records,
        bytes,
        sent: false,
        settled: false,
        settle: (outcome) => {
          call.settled = true;
          clearTimeout(timer);
          signal?.removeEventListener('abort', onAbort);
          if (outcome instanceof Error) reject(outcome);
          else resolve(outcome);
        },
      };
      const onAbort = (): void => this.giveUp(call, 'the caller gave up', signal?.reason);
      const timer = setTimeout(
        () => this.giveUp(call, `no answer within ${this.limits.appendDeadlineMs} ms`),
        this.limits.appendDeadlineMs,
      );
      signal?.addEventListener('abort', onAbort, { once: true });
      this.waiting.push(call);
      this.waitingRecords += records.length;
      this.waitingBytes += bytes;
      this.flushing ??= this.flushAll();
    });
  }

  /** Resolves once nothing waits and nothing runs; bounded by the deadline of the appends. */
  async drain(): Promise<void> {
    await this.flushing;
  }

  private admit(records: number, bytes: number): void {
    const { queueRecordsMax, queueBytesMax } = this.limits;
    if (records > queueRecordsMax || bytes > queueBytesMax) {
      throw new RangeError(
        `One append takes at most ${queueRecordsMax} records and ${queueBytesMax} bytes; ` +
          `this one has ${records} records and ${bytes} bytes.`,
      );
    }
    const full =
      this.waitingRecords + records > queueRecordsMax || this.waitingBytes + bytes > queueBytesMax;
    // About two flushes from now the queue has room again.
    if (full) throw new LogBackpressureError(Math.max(50, Math.ceil(2 * this.flushMs)));
  }

  private giveUp(call: WaitingCall, detail: string, cause?: unknown): void {
    const at = this.waiting.indexOf(call);
    if (at >= 0) this.remove(at);
    call.settle(new LogUnavailableError(detail, call.sent, cause));
  }

  private remove(at: number): void {
    const [call] = this.waiting.splice(at, 1);
    this.waitingRecords -= call!.records.length;
    this.waitingBytes -= call!.bytes;
  }

  private async flushAll(): Promise<void> {
    // Calls of one turn of the event loop share the first flush.
    await Promise.resolve();
    while (this.waiting.length > 0) {
      const calls = this.take();
      const startedAt = performance.now();
      await this.flushCalls(calls);
      this.flushMs = performance.now() - startedAt;
    }
    this.flushing = null;
  }

  /** The oldest calls that fit into one flush; the first is taken whatever its size. */
  private take(): WaitingCall[] {
    const calls: WaitingCall[] = [];
    let records = 0;
    let bytes = 0;
    for (let call = this.waiting[0]; call !== undefined; call = this.waiting[0]) {
      records += call.records.length;
      bytes += call.bytes;
      const fits = records <= this.limits.flushRecordsMax && bytes <= this.limits.flushBytesMax;
      if (calls.length > 0 && !fits) break;
      this.remove(0);
      calls.push(call);
    }
    return calls;
  }

  private async flushCalls(calls: readonly WaitingCall[]): Promise<void> {
    try {
      const acks = await this.flush(
        calls.flatMap(({ records }) => records),
        () => {
          if (calls.some(({ sent, settled }) => settled && !sent)) throw new CallGivenUpError();
          for (const call of calls) call.sent = true;
        },
      );
      let from = 0;
      for (const { records, settle } of calls) {
        settle(acks.slice(from, from + records.length));
        from += records.length;
      }
    } catch (error) {
      if (error instanceof CallGivenUpError) {
        const wanted = calls.filter(({ settled }) => !settled);
        if (wanted.length > 0) await this.flushCalls(wanted);
        return;
      }
      if (error instanceof RangeError && calls.length > 1) {
        // One call's record must not harm the others.
        for (const call of calls) await this.flushCalls([call]);
        return;
      }
      const failure = error instanceof Error ? error : new Error(String(error));
      for (const { settle } of calls) settle(failure);
    }
  }
}
