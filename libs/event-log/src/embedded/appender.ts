import type { Pool } from 'pg';
import { LogUnavailableError, type LogAck, type LogRecordInput } from '../event-log.js';
import { appendFrames } from './append-call.js';
import { AppendPlan } from './append-plan.js';
import { AppendQueue } from '../driver/append-queue.js';
import type { EmbeddedLogLimits } from './embedded-log-limits.js';
import { toPortErrors } from './port-errors.js';
import { toStoredFrame } from './stored-frame.js';
import type { TopicRegistry } from './topic-registry.js';
import type { WakeUp } from './wake-up.js';

/** Appends records: one queue per topic, one round trip per flush. */
export class Appender {
  private readonly queues = new Map<string, AppendQueue>();
  private closed = false;

  constructor(
    private readonly pool: Pool,
    private readonly topics: TopicRegistry,
    private readonly wakeUp: WakeUp,
    private readonly limits: EmbeddedLogLimits,
  ) {}

  async append(
    topic: string,
    records: readonly LogRecordInput[],
    signal?: AbortSignal,
  ): Promise<readonly LogAck[]> {
    if (this.closed) throw new LogUnavailableError('it is closed', false);
    if (records.length === 0) return [];
    return this.queueOf(topic).append(records, signal);
  }

  /** Takes no more, and waits for what was taken. */
  async close(): Promise<void> {
    this.closed = true;
    await Promise.all([...this.queues.values()].map((queue) => queue.drain()));
  }

  private queueOf(topic: string): AppendQueue {
    const known = this.queues.get(topic);
    if (known !== undefined) return known;
    const queue = new AppendQueue((records, leaving) => {
      leaving();
      return this.flush(topic, records);
    }, this.limits);
    this.queues.set(topic, queue);
    return queue;
  }

  private async flush(
    topicName: string,
    records: readonly LogRecordInput[],
  ): Promise<readonly LogAck[]> {
    const topic = await toPortErrors(() => this.topics.get(topicName));
    const plan = new AppendPlan(topic.partitions, this.limits);
    for (const record of records) plan.add(record);
    const bases = await appendFrames(
      this.pool,
      {
        topicId: topic.id,
        partitions: plan.frames.map(({ partition }) => partition),
        counts: plan.frames.map((frame) => frame.records.length),
        frames: await Promise.all(plan.frames.map((frame) => toStoredFrame(frame.records))),
      },
      this.limits,
    );
    this.wakeUp.topicGrew(topic.id);
    return plan.acks(bases);
  }
}
