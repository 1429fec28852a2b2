import type { Logger } from '#runtime/logger.js';
import { Bell } from '../driver/bell.js';
import { backOffMs, pause } from '../driver/pause.js';
import type { SubscribeOptions, Subscription, TopicPartition } from '../event-log.js';
import { faultType, isPassing, toPortError } from './faults.js';
import { Fetcher } from './fetcher.js';
import { keyOf, type GroupSession } from './group-session.js';
import type { KafkaConnection } from './kafka-connection.js';
import type { KafkaLogLimits } from './kafka-log-limits.js';
import type { KafkaTopics } from './kafka-topics.js';
import { OwnedPartitions } from './owned-partitions.js';
import type { ConsumerHome, PartitionConsumer } from './partition-consumer.js';
import type { Share } from './share-out.js';

export interface MemberTools {
  readonly session: GroupSession;
  readonly fetching: KafkaConnection;
  readonly topics: KafkaTopics;
  readonly limits: KafkaLogLimits;
  readonly logger: Logger | undefined;
}

/** The group shares out anew: this member joins again and keeps what it has till then. */
const rejoin_types = new Set(['REBALANCE_IN_PROGRESS', 'ILLEGAL_GENERATION']);
/** The group has gone on without this member. */
const gone_types = new Set(['UNKNOWN_MEMBER_ID', 'FENCED_INSTANCE_ID']);

/**
 * One member of a consumer group: joins it, runs a consumer for every partition of its share, and
 * gives signs of life. What it keeps in a rebalance runs on meanwhile; what it loses it finishes
 * and commits before anybody else gets it. An outage of the cluster is waited out.
 */
export class GroupMember implements Subscription, ConsumerHome {
  readonly done: Promise<void>;
  readonly limits: KafkaLogLimits;
  readonly logger: Logger | undefined;
  private settleDone!: { resolve: () => void; reject: (error: unknown) => void };
  private readonly stopping = new AbortController();
  private readonly bell = new Bell();
  private readonly fetcher: Fetcher;
  private readonly owned: OwnedPartitions;
  private share: Share = new Map();
  private mustJoin = true;
  private givingUpSince: number | null = null;
  private onJoined: () => void = () => undefined;
  private heardAt = Date.now();
  private failures = 0;
  private failure: Error | null = null;

  /** @param ended called once, when the member is over, well or badly. */
  constructor(
    readonly options: SubscribeOptions,
    private readonly tools: MemberTools,
    private readonly ended: () => void,
  ) {
    this.limits = tools.limits;
    this.logger = tools.logger;
    this.done = new Promise((resolve, reject) => {
      this.settleDone = { resolve, reject };
    });
    this.owned = new OwnedPartitions(this, (failure) => {
      if (failure !== undefined) this.fail(failure);
      this.bell.ring();
    });
    this.fetcher = new Fetcher(
      () => this.owned.consumers(),
      { ...tools, connection: tools.fetching },
      this.stopping.signal,
    );
  }

  /**
   * Begins to join and to deliver; resolves when the group has taken this member, or when that
   * takes long because the group waits for another one. @throws when the group refuses it.
   */
  async start(): Promise<void> {
    const joined = new Promise<void>((resolve) => (this.onJoined = resolve));
    void this.run()
      .finally(() => this.ended())
      .then(this.settleDone.resolve, this.settleDone.reject);
    this.fetcher.run().catch((error: unknown) => this.fail(error));
    const waited = new AbortController();
    const enough = pause(this.limits.answerMs, waited.signal);
    await Promise.race([joined, enough, this.done]).finally(() => waited.abort());
  }

  assignment(): readonly TopicPartition[] {
    return this.owned
      .consumers()
      .filter(({ revoked }) => !revoked)
      .map(({ at }) => at);
  }

  pause(partitions: readonly TopicPartition[]): void {
    this.setPaused(partitions, true);
  }

  resume(partitions: readonly TopicPartition[]): void {
    this.setPaused(partitions, false);
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    this.bell.ring();
    // A fatal loss is told by `done`; stopping after it is no further failure.
    await this.done.catch(() => undefined);
  }

  hungry(): void {
    this.fetcher.ring();
  }

  async commit(consumer: PartitionConsumer, next: bigint): Promise<boolean> {
    const { wireName, at, lost } = consumer;
    for (let attempt = 0; !lost.aborted; attempt += 1) {
      try {
        await this.tools.session.commit({ wireName, partition: at.partition, next, lost });
        return !lost.aborted;
      } catch (error) {
        const type = faultType(error);
        if (!isPassing(error) && !rejoin_types.has(type) && !gone_types.has(type)) {
          this.fail(error);
          return false;
        }
        // The next sign of life finds out whether this member is still one.
        this.heardAt = Math.min(this.heardAt, Date.now() - this.limits.heartbeatMs);
        this.bell.ring();
        await pause(backOffMs(attempt, this.limits.retryMsMin, this.limits.retryMsMax), lost);
      }
    }
    return false;
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      try {
        if (this.mustJoin) await this.join();
        await this.serve();
      } catch (error) {
        if (!signal.aborted) await this.endure(error);
      }
    }
    // Handlers end before the member leaves, so that what they finished is still committed.
    await this.drain();
    await this.tools.session.leave().catch(() => undefined);
    if (this.failure !== null) throw this.failure;
  }

  private async join(): Promise<void> {
    const { signal } = this.stopping;
    this.share = await this.tools.session.join(this.owned.asShare(), signal);
    this.mustJoin = false;
    this.heard();
    this.onJoined();
    const leaving = this.owned.outside(this.share);
    for (const consumer of leaving) consumer.revoke();
    this.givingUpSince = leaving.length > 0 ? Date.now() : null;
  }

  /** What goes on between two signs of life, and the sign of life when it is time for one. */
  private async serve(): Promise<void> {
    await this.startMissing();
    this.giveUpLeaving();
    if (this.mustJoin) return;
    const sinceMs = Date.now() - this.heardAt;
    if (sinceMs < this.limits.heartbeatMs) {
      await this.bell.wait(this.limits.heartbeatMs - sinceMs);
      return;
    }
    await this.tools.session.heartbeat();
    this.heard();
    this.mustJoin = await this.tools.session.hasOutgrown();
  }

  /** Joins again once what others are to get has ended here: only then are they given it. */
  private giveUpLeaving(): void {
    if (this.givingUpSince === null) return;
    const leaving = this.owned.outside(this.share);
    if (Date.now() - this.givingUpSince > this.limits.drainMs) {
      for (const consumer of leaving) this.owned.abandon(consumer);
    } else if (leaving.length > 0) return;
    this.givingUpSince = null;
    this.mustJoin = true;
  }

  private async startMissing(): Promise<void> {
    const missing = this.owned.missing(this.share);
    if (missing.length === 0 || this.stopping.signal.aborted) return;
    const committed = await this.tools.session.committed(missing);
    for (const { wireName, partition } of missing) {
      const topic = this.tools.topics.nameOf(wireName) ?? wireName;
      const known = committed.get(keyOf({ wireName, partition }));
      const position = known ?? (await this.lowOf(topic, partition));
      this.owned.start(wireName, { topic, partition }, position);
    }
    this.fetcher.ring();
  }

  private async lowOf(topic: string, partition: number): Promise<bigint> {
    const ranges = await this.tools.topics.ranges(topic);
    return ranges.find((range) => range.partition === partition)?.low ?? 0n;
  }

  /** After a failed request: back-off, or what the group has to say. */
  private async endure(error: unknown): Promise<void> {
    const type = faultType(error);
    if (gone_types.has(type)) {
      this.logger?.warn({ group: this.options.group }, 'the group went on without this member');
      this.owned.loseAll();
      this.tools.session.forget();
    }
    this.mustJoin ||= gone_types.has(type) || rejoin_types.has(type);
    if (gone_types.has(type) || rejoin_types.has(type)) return;
    if (!isPassing(error)) return this.fail(error);
    const { sessionTimeoutMs, retryMsMin, retryMsMax } = this.limits;
    if (this.failures === 0) {
      this.logger?.warn({ err: error, group: this.options.group }, 'the group does not answer');
    }
    // Silence for so long: the group may have given everything to others.
    if (Date.now() - this.heardAt > sessionTimeoutMs) this.owned.loseAll();
    this.failures += 1;
    await pause(backOffMs(this.failures, retryMsMin, retryMsMax), this.stopping.signal);
  }

  private heard(): void {
    this.heardAt = Date.now();
    this.failures = 0;
  }

  private fail(error: unknown): void {
    const failure = toPortError(error);
    this.failure ??= failure instanceof Error ? failure : new Error(String(failure));
    this.stopping.abort();
    this.bell.ring();
  }

  private setPaused(partitions: readonly TopicPartition[], paused: boolean): void {
    for (const { topic, partition } of partitions) {
      this.owned.setPaused({ wireName: this.tools.topics.wireName(topic), partition }, paused);
    }
  }

  /** Lets running handlers finish, for a while, and stays a member meanwhile. */
  private async drain(): Promise<void> {
    this.owned.revokeAll();
    const alive = setInterval(
      () => void this.tools.session.heartbeat().catch(() => undefined),
      this.limits.heartbeatMs,
    );
    const drained = new AbortController();
    await Promise.race([
      this.owned.allEnded().then(() => drained.abort()),
      pause(this.limits.drainMs, drained.signal),
    ]);
    clearInterval(alive);
    this.owned.loseAll();
  }
}
