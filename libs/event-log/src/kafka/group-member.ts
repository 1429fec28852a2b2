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
import { PartitionConsumer, type ConsumerHome } from './partition-consumer.js';
import type { Share } from './share-out.js';

export interface MemberTools {
  readonly session: GroupSession;
  readonly fetching: KafkaConnection;
  readonly topics: KafkaTopics;
  readonly limits: KafkaLogLimits;
  readonly logger: Logger | undefined;
}

interface Running {
  readonly consumer: PartitionConsumer;
  readonly ended: Promise<void>;
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
  private readonly running = new Map<string, Running>();
  private readonly paused = new Set<string>();
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
    this.fetcher = new Fetcher(
      () => [...this.running.values()].map(({ consumer }) => consumer),
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
    return [...this.running.values()]
      .filter(({ consumer }) => !consumer.revoked)
      .map(({ consumer }) => consumer.at);
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
        await this.tools.session.commit({ wireName, partition: at.partition, next });
        return true;
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
    const owned: Share = new Map();
    for (const { consumer } of this.running.values()) {
      if (consumer.lost.aborted) continue;
      const { wireName, at } = consumer;
      owned.set(wireName, [...(owned.get(wireName) ?? []), at.partition]);
    }
    this.share = await this.tools.session.join(owned, this.stopping.signal);
    this.mustJoin = false;
    this.heard();
    this.onJoined();
    const leaving = this.leaving();
    for (const { consumer } of leaving) consumer.revoke();
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
    if (Date.now() - this.givingUpSince > this.limits.drainMs) {
      // A handler that ignores its signal is left behind; it commits nothing any more.
      for (const { key, consumer } of this.leaving()) {
        consumer.lose();
        this.running.delete(key);
      }
    }
    if (this.leaving().length > 0) return;
    this.givingUpSince = null;
    this.mustJoin = true;
  }

  private leaving(): { readonly key: string; readonly consumer: PartitionConsumer }[] {
    return [...this.running]
      .map(([key, { consumer }]) => ({ key, consumer }))
      .filter(({ consumer: { wireName, at } }) => {
        return !(this.share.get(wireName) ?? []).includes(at.partition);
      });
  }

  private async startMissing(): Promise<void> {
    const missing = [...this.share].flatMap(([wireName, partitions]) =>
      partitions
        .map((partition) => ({ wireName, partition }))
        .filter((at) => !this.running.has(keyOf(at))),
    );
    if (missing.length === 0 || this.stopping.signal.aborted) return;
    const committed = await this.tools.session.committed(missing);
    for (const at of missing) {
      const { wireName, partition } = at;
      const topic = this.tools.topics.nameOf(wireName) ?? wireName;
      const position = committed.get(keyOf(at)) ?? (await this.lowOf(topic, partition));
      this.startConsumer(wireName, { topic, partition }, position);
    }
    this.fetcher.ring();
  }

  private async lowOf(topic: string, partition: number): Promise<bigint> {
    const ranges = await this.tools.topics.ranges(topic);
    return ranges.find((range) => range.partition === partition)?.low ?? 0n;
  }

  private startConsumer(wireName: string, at: TopicPartition, position: bigint): void {
    const consumer = new PartitionConsumer(wireName, at, position, this);
    const key = keyOf({ wireName, partition: at.partition });
    consumer.setPaused(this.paused.has(key));
    const ended = consumer
      .run()
      .catch((error: unknown) => this.fail(error))
      .finally(() => {
        if (this.running.get(key)?.consumer === consumer) this.running.delete(key);
        this.bell.ring();
      });
    this.running.set(key, { consumer, ended });
  }

  /** After a failed request: back-off, or what the group has to say. */
  private async endure(error: unknown): Promise<void> {
    const type = faultType(error);
    if (gone_types.has(type)) {
      this.logger?.warn({ group: this.options.group }, 'the group went on without this member');
      this.loseAll();
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
    if (Date.now() - this.heardAt > sessionTimeoutMs) this.loseAll();
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

  private loseAll(): void {
    for (const { consumer } of this.running.values()) consumer.lose();
  }

  private setPaused(partitions: readonly TopicPartition[], paused: boolean): void {
    for (const { topic, partition } of partitions) {
      const key = keyOf({ wireName: this.tools.topics.wireName(topic), partition });
      if (paused) this.paused.add(key);
      else this.paused.delete(key);
      this.running.get(key)?.consumer.setPaused(paused);
    }
  }

  /** Lets running handlers finish, for a while, and stays a member meanwhile. */
  private async drain(): Promise<void> {
    for (const { consumer } of this.running.values()) consumer.revoke();
    const alive = setInterval(
      () => void this.tools.session.heartbeat().catch(() => undefined),
      this.limits.heartbeatMs,
    );
    const drained = new AbortController();
    const ended = Promise.all([...this.running.values()].map((running) => running.ended));
    await Promise.race([
      ended.then(() => drained.abort()),
      pause(this.limits.drainMs, drained.signal),
    ]);
    clearInterval(alive);
    this.loseAll();
  }
}
