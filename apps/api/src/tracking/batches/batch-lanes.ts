import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { ProblemError } from '#domain/errors.js';
import type { UptakeConfig } from '#runtime/config.js';
import type { Logger } from '#runtime/logger.js';
import { addThreadMetrics, type MetricFigures } from '#runtime/metrics.js';
import type { BatchAnswer, BatchRequest } from './batch-tracking.js';
import { fromSentProblem, type FromLane, type ToLane } from './lane-messages.js';

const entry = new URL('./batch-lane.main.js', import.meta.url);
/** Room for what a few batches in flight leave behind, so that little of it is ever copied. */
const resourceLimits = { maxYoungGenerationSizeMb: 64 };
const start_ms_max = 15_000;
const restart_ms = 1000;
const figures_ms_max = 2000;
/** Bytes of batches handed over and not answered, over all lanes. */
const waiting_bytes_max = 128 * 1024 * 1024;

interface WaitingBatch {
  readonly bytes: number;
  readonly answer: (answer: BatchAnswer) => void;
  readonly fail: (error: Error) => void;
}

interface Lane {
  readonly thread: Worker;
  readonly waiting: Map<number, WaitingBatch>;
}

/** The threads that take large batches. A lane that dies is replaced. */
export class BatchLanes {
  private readonly lanes: Lane[] = [];
  /** Those that are starting, too. */
  private readonly threads = new Set<Worker>();
  private nextId = 0;
  private waitingBytes = 0;
  private stopping = false;

  constructor(
    private readonly config: UptakeConfig,
    private readonly logger: Logger,
  ) {}

  /** Whether there is a lane to hand a batch to. */
  get open(): boolean {
    return this.lanes.length > 0;
  }

  /** Resolves once every lane takes batches. */
  async start(): Promise<void> {
    const count = this.config.batchThreads;
    await Promise.all(Array.from({ length: count }, () => this.startLane()));
  }

  /**
   * Hands a batch to the lane with the fewest; its bytes are no longer readable here.
   * @throws ProblemError as the lane did, `store_uncertain` when it died with the batch.
   */
  track(request: BatchRequest): Promise<BatchAnswer> {
    const lane = this.lanes.reduce((one, other) =>
      other.waiting.size < one.waiting.size ? other : one,
    );
    const bytes = request.body.byteLength;
    if (this.waitingBytes + bytes > waiting_bytes_max) {
      const detail = 'Too many batches wait to be stored; nothing was stored.';
      return Promise.reject(new ProblemError('overloaded', detail, { retryAfterSeconds: 1 }));
    }
    const id = (this.nextId += 1);
    const body = ownBytes(request.body);
    const message: ToLane = { kind: 'track', id, request: { ...request, body } };
    return new Promise((answer, fail) => {
      lane.waiting.set(id, { bytes, answer, fail });
      this.waitingBytes += bytes;
      lane.thread.postMessage(message, [body.buffer]);
    });
  }

  /** Lets every lane finish what it has, and ends it. */
  async stop(): Promise<void> {
    this.stopping = true;
    await Promise.all(
      [...this.threads].map(
        (thread) =>
          new Promise((resolve) => {
            thread.once('exit', resolve);
            thread.postMessage({ kind: 'stop' } satisfies ToLane);
          }),
      ),
    );
  }

  private async startLane(): Promise<void> {
    const thread = new Worker(entry, { workerData: { ...this.config }, resourceLimits });
    this.threads.add(thread);
    thread.once('exit', () => this.threads.delete(thread));
    const lane: Lane = { thread, waiting: new Map() };
    const ready = new Promise<void>((resolve, reject) => {
      const late = setTimeout(() => {
        void thread.terminate();
        reject(new Error('A lane did not start in time.'));
      }, start_ms_max);
      thread.on('message', (message: FromLane) => {
        if (message.kind === 'ready') {
          clearTimeout(late);
          this.lanes.push(lane);
          resolve();
        } else if (message.kind !== 'metrics') this.settle(lane, message);
      });
      thread.once('exit', () => {
        clearTimeout(late);
        reject(new Error('A lane ended before it was ready.'));
      });
    });
    thread.on('error', (error) => this.logger.error({ err: error }, 'a lane failed'));
    thread.once('exit', () => void this.replace(lane));
    await ready;
    const hide = addThreadMetrics(() => figuresOf(thread));
    thread.once('exit', hide);
  }

  private settle(lane: Lane, reply: Exclude<FromLane, { kind: 'ready' | 'metrics' }>): void {
    const batch = lane.waiting.get(reply.id);
    if (batch === undefined) return;
    lane.waiting.delete(reply.id);
    this.waitingBytes -= batch.bytes;
    switch (reply.kind) {
      case 'answer':
        return batch.answer(reply.answer);
      case 'problem':
        return batch.fail(fromSentProblem(reply.problem));
    }
  }

  // The batches of a dead lane may be stored or not: their senders retry with the same keys.
  private async replace(lane: Lane): Promise<void> {
    const index = this.lanes.indexOf(lane);
    if (index !== -1) this.lanes.splice(index, 1);
    for (const batch of lane.waiting.values()) {
      this.waitingBytes -= batch.bytes;
      batch.fail(
        new ProblemError('store_uncertain', 'Storing was interrupted; retry with the same keys.', {
          retryAfterSeconds: 1,
        }),
      );
    }
    if (this.stopping || index === -1) return;
    this.logger.warn('a lane ended and is replaced');
    while (!this.stopping) {
      await pause(restart_ms);
      const started = await this.startLane().then(
        () => true,
        () => false,
      );
      if (started) return;
    }
  }
}

/** Asks a lane for its metrics; one that does not answer in time shows none. */
function figuresOf(thread: Worker): Promise<MetricFigures> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => {
      thread.off('message', take);
      reject(new Error('A lane is too busy to tell its metrics.'));
    }, figures_ms_max);
    const take = (message: FromLane) => {
      if (message.kind !== 'metrics') return;
      clearTimeout(late);
      thread.off('message', take);
      resolve(message.figures);
    };
    thread.on('message', take);
    thread.postMessage({ kind: 'metrics' } satisfies ToLane);
  });
}

/** The bytes in memory of their own, which can be handed over without a copy. */
function ownBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer, byteLength } = bytes;
  const own = buffer instanceof ArrayBuffer && byteLength === buffer.byteLength;
  return own ? new Uint8Array(buffer) : new Uint8Array(bytes);
}
