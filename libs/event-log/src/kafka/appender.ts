import { AppendQueue } from '../driver/append-queue.js';
import { LogUnavailableError, type LogAck, type LogRecordInput } from '../event-log.js';
import { AppendPlan } from './append-plan.js';
import { faultType } from './faults.js';
import type { KafkaConnection } from './kafka-connection.js';
import type { KafkaLogLimits } from './kafka-log-limits.js';
import type { KafkaSettings } from './kafka-settings.js';
import type { KafkaTopics } from './kafka-topics.js';
import { TopicProducer } from './topic-producer.js';

/** Appends records: per topic one queue and one producer, with one request at a time. */
export class Appender {
  private readonly queues = new Map<string, AppendQueue>();
  private closed = false;

  constructor(
    private readonly connection: KafkaConnection,
    private readonly topics: KafkaTopics,
    private readonly settings: KafkaSettings,
    private readonly limits: KafkaLogLimits,
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
    const producer = new TopicProducer(this.connection, this.settings, this.limits);
    const queue = new AppendQueue(
      (records, leaving) => this.flush(topic, producer, records, leaving),
      this.limits,
    );
    this.queues.set(topic, queue);
    return queue;
  }

  private async flush(
    topicName: string,
    producer: TopicProducer,
    records: readonly LogRecordInput[],
    leaving: () => void,
  ): Promise<readonly LogAck[]> {
    const deadline = Date.now() + this.limits.appendDeadlineMs;
    const topic = await this.topics.get(topicName);
    const plan = new AppendPlan(topic, this.limits, records);
    const bases: ReadonlyMap<number, bigint>[] = [];
    try {
      for (const shipment of plan.shipments) {
        bases.push(await producer.send(topic, shipment, deadline, leaving));
      }
    } catch (error) {
      // Perhaps it takes less than is remembered of it.
      if (faultType(error) === 'MESSAGE_TOO_LARGE') this.topics.forget(topicName);
      if (bases.length === 0 || !(error instanceof LogUnavailableError)) throw error;
      throw new LogUnavailableError('only a part of the records was taken', true, error);
    }
    return plan.acks(bases);
  }
}
