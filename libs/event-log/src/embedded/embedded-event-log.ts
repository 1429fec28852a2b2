import type { Pool } from 'pg';
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
import { BatchReader } from './batch-reader.js';
import { createMemberClient, openPool } from './connections.js';
import { default_embedded_log_limits, type EmbeddedLogLimits } from './embedded-log-limits.js';
import { FrameFetch } from './frame-fetch.js';
import { GroupMember } from './group-member.js';
import { GroupOffsets } from './group-offsets.js';
import { MemberSession, type GroupTopic } from './member-session.js';
import { toPortErrors } from './port-errors.js';
import { Retention } from './retention.js';
import { ensureSchema } from './schema.js';
import { TopicRegistry } from './topic-registry.js';
import { WakeUp } from './wake-up.js';

export interface EmbeddedEventLogOptions {
  readonly databaseUrl: string;
  /** Told of what the driver mends by itself; silent without one. */
  readonly logger?: Logger;
  readonly limits?: Partial<EmbeddedLogLimits>;
}

/** What is open between `open()` and `close()`. */
interface Parts {
  readonly appendPool: Pool;
  readonly pool: Pool;
  readonly topics: TopicRegistry;
  readonly offsets: GroupOffsets;
  readonly reader: BatchReader;
  readonly wakeUp: WakeUp;
  readonly appender: Appender;
  readonly retention: Retention;
}

/** The event log in PostgreSQL: schema `event_log`, one row per frame of records. */
export class EmbeddedEventLog extends EventLog {
  override readonly driver = 'embedded';
  private readonly limits: EmbeddedLogLimits;
  private readonly members = new Set<GroupMember>();
  private opened: Parts | null = null;

  constructor(private readonly options: EmbeddedEventLogOptions) {
    super();
    this.limits = { ...default_embedded_log_limits, ...options.limits };
  }

  /** Creates or upgrades the schema and starts retention. @throws LogUnavailableError */
  async open(): Promise<void> {
    if (this.opened !== null) return;
    const parts = this.buildParts();
    try {
      await ensureSchema(parts.pool);
    } catch (error) {
      await endPools(parts);
      throw new LogUnavailableError('its schema could not be opened', false, error);
    }
    parts.retention.start(this.limits.retentionIntervalMs);
    this.opened = parts;
  }

  override ensureTopics(specs: readonly TopicSpec[]): Promise<void> {
    return this.ask(({ topics }) => topics.ensure(specs));
  }

  override async append(
    topic: string,
    records: readonly LogRecordInput[],
    options?: { readonly signal?: AbortSignal },
  ): Promise<readonly LogAck[]> {
    return this.parts.appender.append(topic, records, options?.signal);
  }

  override async subscribe(options: SubscribeOptions): Promise<Subscription> {
    const { offsets, topics, reader } = this.parts;
    const groupTopics = await this.ask(() =>
      Promise.all(
        options.topics.map(async (topic): Promise<GroupTopic> => ({
          topic,
          topicId: (await topics.get(topic)).id,
          groupTopicId: await offsets.groupTopicId(options.group, topic),
        })),
      ),
    );
    const member = new GroupMember(
      groupTopics,
      options,
      { reader, offsets, limits: this.limits, logger: this.options.logger },
      {
        join: (onWakeUp) => this.join(options.group, groupTopics, onWakeUp),
        ended: () => this.members.delete(member),
      },
    );
    await this.ask(() => member.start());
    this.members.add(member);
    return member;
  }

  override read(topic: string, options?: ReadOptions): AsyncIterable<LogBatch> {
    return this.parts.reader.read(topic, options);
  }

  override ranges(topic: string): Promise<readonly PartitionRange[]> {
    return this.ask(({ topics }) => topics.ranges(topic));
  }

  override offsetsAt(topic: string, time: Date): Promise<ReadonlyMap<number, bigint>> {
    return this.ask(({ topics }) => topics.offsetsAt(topic, time));
  }

  override committed(group: string, topic: string): Promise<ReadonlyMap<number, bigint>> {
    return this.ask(({ offsets }) => offsets.committed(group, topic));
  }

  override resetGroup(group: string, topic: string, to: LogPosition): Promise<void> {
    return this.ask(({ offsets }) => offsets.reset(group, topic, to));
  }

  override lag(group: string, topic: string): Promise<readonly GroupLag[]> {
    return this.ask(({ offsets }) => offsets.lag(group, topic));
  }

  override groups(): Promise<readonly GroupSummary[]> {
    return this.ask(({ offsets }) => offsets.groups());
  }

  override async health(): Promise<LogHealth> {
    if (this.opened === null) return { up: false, detail: 'not open' };
    try {
      await this.opened.pool.query('select 1 from event_log.topic limit 1');
      return { up: true, detail: 'PostgreSQL answers' };
    } catch (error) {
      // The detail is public; what the driver says names host and port.
      this.options.logger?.warn({ err: error }, 'the event log does not answer');
      return { up: false, detail: 'PostgreSQL does not answer' };
    }
  }

  /** Removes expired records now instead of at the next interval. */
  applyRetention(): Promise<void> {
    return this.ask(({ retention }) => retention.sweep());
  }

  override async close(): Promise<void> {
    const parts = this.opened;
    if (parts === null) return;
    this.opened = null;
    await Promise.all([...this.members].map((member) => member.stop()));
    await parts.appender.close();
    await parts.retention.stop();
    parts.wakeUp.close();
    await endPools(parts);
  }

  private get parts(): Parts {
    if (this.opened === null) throw new LogUnavailableError('it is not open', false);
    return this.opened;
  }

  private buildParts(): Parts {
    const { databaseUrl, logger } = this.options;
    const { limits } = this;
    const pool = openPool(databaseUrl, limits, limits.connectionsMax);
    const appendPool = openPool(databaseUrl, limits, limits.appendConnectionsMax);
    const topics = new TopicRegistry(pool, limits.topicRefreshMs);
    const wakeUp = new WakeUp(pool, limits.wakeUpMs);
    return {
      appendPool,
      pool,
      topics,
      wakeUp,
      offsets: new GroupOffsets(pool, topics),
      reader: new BatchReader(new FrameFetch(pool, limits.fetchBytesMax), topics, limits),
      appender: new Appender(appendPool, topics, wakeUp, limits),
      retention: new Retention(pool, limits.tokenKeptMs, (error) =>
        logger?.warn({ err: error }, 'retention of the event log failed and will run again'),
      ),
    };
  }

  private async join(
    group: string,
    groupTopics: readonly GroupTopic[],
    onWakeUp: (payload: string) => void,
  ): Promise<MemberSession> {
    const client = createMemberClient(this.options.databaseUrl, this.limits);
    const session = new MemberSession(client, group, groupTopics);
    await session.open(this.limits.sessionTimeoutMs, onWakeUp);
    return session;
  }

  /** Failures of the database become the port's error; the port's own errors stay as they are. */
  private async ask<T>(question: (parts: Parts) => Promise<T>): Promise<T> {
    return toPortErrors(() => question(this.parts));
  }
}

async function endPools({ pool, appendPool }: Parts): Promise<void> {
  await Promise.all([pool.end(), appendPool.end()]);
}
