import type { Logger } from '#runtime/logger.js';
import {
  EventLog,
  LogUnavailableError,
  type GroupLag,
  type GroupSummary,
  type LogAck,
  type LogBatch,
  type LogHealth,
  type LogPosition,
  type LogRecordInput,
  type PartitionRange,
  type ReadOptions,
  type SubscribeOptions,
  type Subscription,
  type TopicSpec,
} from '../event-log.js';
import { Appender } from './appender.js';
import { reason } from './faults.js';
import { GroupMember } from './group-member.js';
import { GroupOffsets } from './group-offsets.js';
import { GroupSession } from './group-session.js';
import { HealthCheck } from './health-check.js';
import { KafkaConnection } from './kafka-connection.js';
import { default_kafka_log_limits, type KafkaLogLimits } from './kafka-log-limits.js';
import { default_kafka_settings, type KafkaSettings } from './kafka-settings.js';
import { KafkaTopics } from './kafka-topics.js';
import { LogReader } from './log-reader.js';
import { Questions } from './questions.js';
import { settingsToCheck } from './settings-to-check.js';

export interface KafkaEventLogOptions {
  readonly settings: Pick<KafkaSettings, 'brokers'> & Partial<KafkaSettings>;
  /** Told of what the driver mends by itself; silent without one. */
  readonly logger?: Logger;
  readonly limits?: Partial<KafkaLogLimits>;
}

/** What is open between `open()` and `close()`. */
interface Parts {
  /** Each with connections of its own, so that none waits for the requests of another. */
  readonly connections: readonly KafkaConnection[];
  readonly topics: KafkaTopics;
  readonly offsets: GroupOffsets;
  readonly reader: LogReader;
  readonly appender: Appender;
  readonly healthCheck: HealthCheck;
}

/** The event log in a Kafka cluster. */
export class KafkaEventLog extends EventLog {
  override readonly driver = 'kafka';
  private readonly settings: KafkaSettings;
  private readonly limits: KafkaLogLimits;
  private readonly members = new Set<GroupMember>();
  private opened: Parts | null = null;

  constructor(private readonly options: KafkaEventLogOptions) {
    super();
    this.settings = { ...default_kafka_settings, ...options.settings };
    this.limits = { ...default_kafka_log_limits, ...options.limits };
  }

  /** Reaches the cluster for the first time. @throws LogUnavailableError */
  async open(): Promise<void> {
    if (this.opened !== null) return;
    const parts = this.buildParts();
    try {
      await parts.healthCheck.ask();
    } catch (error) {
      for (const connection of parts.connections) connection.close();
      throw new LogUnavailableError(
        `KAFKA_BROKERS cannot be reached (${reason(error)})${settingsToCheck(error)}`,
        false,
        error,
      );
    }
    this.opened = parts;
  }

  override async ensureTopics(specs: readonly TopicSpec[]): Promise<void> {
    return this.parts.topics.ensure(specs);
  }

  override async append(
    topic: string,
    records: readonly LogRecordInput[],
    options?: { readonly signal?: AbortSignal },
  ): Promise<readonly LogAck[]> {
    return this.parts.appender.append(topic, records, options?.signal);
  }

  override async subscribe(options: SubscribeOptions): Promise<Subscription> {
    const { topics, offsets } = this.parts;
    const known = await Promise.all(options.topics.map((topic) => topics.get(topic)));
    const group = offsets.wireName(options.group);
    const wireNames = known.map(({ wireName }) => wireName);
    const membership = this.connect();
    const fetching = this.connect();
    const { limits } = this;
    const { logger } = this.options;
    const session = new GroupSession(group, wireNames, membership, limits);
    const member = new GroupMember(options, { session, fetching, topics, limits, logger }, () => {
      this.members.delete(member);
      membership.close();
      fetching.close();
    });
    this.members.add(member);
    await member.start();
    return member;
  }

  override read(topic: string, options?: ReadOptions): AsyncIterable<LogBatch> {
    return this.parts.reader.read(topic, options);
  }

  override async ranges(topic: string): Promise<readonly PartitionRange[]> {
    return this.parts.topics.ranges(topic);
  }

  override async offsetsAt(topic: string, time: Date): Promise<ReadonlyMap<number, bigint>> {
    return this.parts.topics.offsetsAt(topic, time);
  }

  override async committed(group: string, topic: string): Promise<ReadonlyMap<number, bigint>> {
    return this.parts.offsets.committed(group, topic);
  }

  override async resetGroup(group: string, topic: string, to: LogPosition): Promise<void> {
    return this.parts.offsets.reset(group, topic, to);
  }

  override async lag(group: string, topic: string): Promise<readonly GroupLag[]> {
    return this.parts.offsets.lag(group, topic);
  }

  override async groups(): Promise<readonly GroupSummary[]> {
    return this.parts.offsets.groups();
  }

  override async health(): Promise<LogHealth> {
    if (this.opened === null) return { up: false, detail: 'not open' };
    return this.opened.healthCheck.health();
  }

  override async close(): Promise<void> {
    const parts = this.opened;
    if (parts === null) return;
    this.opened = null;
    await Promise.all([...this.members].map((member) => member.stop()));
    await parts.appender.close();
    for (const connection of parts.connections) connection.close();
  }

  private get parts(): Parts {
    if (this.opened === null) throw new LogUnavailableError('it is not open', false);
    return this.opened;
  }

  private connect(): KafkaConnection {
    const { settings, limits } = this;
    return new KafkaConnection({ settings, limits, logger: this.options.logger });
  }

  private buildParts(): Parts {
    const { settings, limits } = this;
    const appending = this.connect();
    const asking = this.connect();
    const questions = new Questions(asking, limits);
    const topics = new KafkaTopics(questions, settings, limits);
    const probing = this.connect();
    return {
      connections: [appending, asking, probing],
      topics,
      offsets: new GroupOffsets(questions, topics),
      reader: new LogReader(topics, limits),
      appender: new Appender(appending, topics, settings, limits),
      healthCheck: new HealthCheck(probing, limits, this.options.logger),
    };
  }
}
