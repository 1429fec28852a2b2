import type { SubscribeOptions, Subscription, TopicPartition } from '../event-log.js';
import { Bell } from '../driver/bell.js';
import { fairShare } from './fair-share.js';
import type { Claim, GroupTopic, MemberSession, PartitionEnds } from './member-session.js';
import { outlast } from './outage.js';
import { PartitionConsumer, type ConsumerTools } from './partition-consumer.js';
import { pause } from '../driver/pause.js';

/** What a member asks of the log that it belongs to. */
export interface MemberHome {
  /** Opens a session in the group; `onWakeUp` gets what is notified to it. */
  join(onWakeUp: (payload: string) => void): Promise<MemberSession>;
  /** Called once, when the member is over, well or badly. */
  ended(): void;
}

type TopicEnds = ReadonlyMap<number, ReadonlyMap<number, PartitionEnds>>;

interface Running {
  readonly consumer: PartitionConsumer;
  readonly ended: Promise<void>;
}

/**
 * One member of a consumer group: holds the session, takes its fair share of the partitions, and
 * runs a consumer for each. A lost session is replaced; what it owned is given up at once, because
 * another member may have it already.
 */
export class GroupMember implements Subscription {
  readonly done: Promise<void>;
  private settleDone!: { resolve: () => void; reject: (error: unknown) => void };
  private readonly stopping = new AbortController();
  private readonly bell = new Bell();
  private readonly running = new Map<string, Running>();
  private readonly paused = new Set<string>();
  private membersChanged = true;
  private failure: Error | null = null;

  constructor(
    private readonly groupTopics: readonly GroupTopic[],
    private readonly options: SubscribeOptions,
    private readonly tools: ConsumerTools,
    private readonly home: MemberHome,
  ) {
    this.done = new Promise((resolve, reject) => {
      this.settleDone = { resolve, reject };
    });
  }

  /** Joins the group and begins to deliver. */
  async start(): Promise<void> {
    const session = await this.openSession();
    void this.run(session)
      .finally(() => this.home.ended())
      .then(this.settleDone.resolve, this.settleDone.reject);
  }

  assignment(): readonly TopicPartition[] {
    return [...this.running.values()]
      .filter(({ consumer }) => !consumer.revoked)
      .map(({ consumer }) => consumer.at);
  }

  pause(partitions: readonly TopicPartition[]): void {
    for (const at of partitions) {
      this.paused.add(keyOf(at));
      this.running.get(keyOf(at))?.consumer.setPaused(true);
    }
  }

  resume(partitions: readonly TopicPartition[]): void {
    for (const at of partitions) {
      this.paused.delete(keyOf(at));
      this.running.get(keyOf(at))?.consumer.setPaused(false);
    }
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    this.bell.ring();
    // A fatal loss is told by `done`; stopping after it is no further failure.
    await this.done.catch(() => undefined);
  }

  private async run(first: MemberSession): Promise<void> {
    const { signal } = this.stopping;
    let session: MemberSession | null = first;
    while (session !== null) {
      await this.serve(session);
      this.revokeAll();
      if (signal.aborted) break;
      this.tools.logger?.warn({ group: this.options.group }, 'session lost; joining again');
      await session.close();
      session = await outlast(() => this.openSession(), signal, this.tools.limits);
    }
    // Handlers end before the locks are given up, so that what they finished is still committed.
    await this.drain();
    await session?.close();
    if (this.failure !== null) throw this.failure;
  }

  private async openSession(): Promise<MemberSession> {
    const session = await this.home.join((payload) => this.hear(payload));
    // It counts as joined once it answers; otherwise the back-off of a lost session goes on.
    await session.rosters();
    await session.ends();
    session.lost.addEventListener('abort', () => this.bell.ring(), { once: true });
    this.membersChanged = true;
    return session;
  }

  /** Returns when the session is lost or the member stops. */
  private async serve(session: MemberSession): Promise<void> {
    const { pollMs, sessionTimeoutMs } = this.tools.limits;
    // Each look is also the sign of life that keeps the session from timing out.
    const pollEveryMs = Math.min(pollMs, sessionTimeoutMs / 4);
    let rosterAt = -Infinity;
    while (!this.stopping.signal.aborted && !session.lost.aborted) {
      try {
        const ends = await session.ends();
        if (this.membersChanged || performance.now() - rosterAt >= pollEveryMs) {
          this.membersChanged = false;
          rosterAt = performance.now();
          await this.rebalance(session, ends);
        }
        this.announce(ends);
      } catch (error) {
        // A failure of the session has ended it, and a new one may do; any other is a defect.
        if (!session.lost.aborted) this.fail(error);
        return;
      }
      await this.bell.wait(pollEveryMs);
    }
  }

  private hear(payload: string): void {
    if (payload === `members:${this.options.group}`) this.membersChanged = true;
    else if (!this.groupTopics.some(({ topicId }) => payload.split(',').includes(String(topicId))))
      return;
    this.bell.ring();
  }

  private async rebalance(session: MemberSession, ends: TopicEnds): Promise<void> {
    const rosters = await session.rosters();
    for (const groupTopic of this.groupTopics) {
      const { groupTopicId, topicId, topic } = groupTopic;
      const partitions = ends.get(topicId)?.size ?? 0;
      const roster = rosters.get(groupTopicId) ?? { members: [], owners: new Map() };
      const share = fairShare(session.member, partitions, roster, groupTopicId);
      for (const partition of share.release) {
        this.running.get(keyOf({ topic, partition }))?.consumer.revoke();
      }
      let claimed = 0;
      for (const partition of share.candidates) {
        if (claimed >= share.claimCount || this.stopping.signal.aborted) break;
        // Its previous run here still ends; two at once would deliver out of order.
        if (this.running.has(keyOf({ topic, partition }))) continue;
        const claim = await session.claim(groupTopicId, partition);
        if (claim === null) continue;
        claimed += 1;
        const low = ends.get(topicId)?.get(partition)?.low ?? 0n;
        this.startConsumer(session, groupTopic, partition, claim, low);
      }
    }
  }

  private startConsumer(
    session: MemberSession,
    groupTopic: GroupTopic,
    partition: number,
    claim: Claim,
    low: bigint,
  ): void {
    const owned = { groupTopic, partition, epoch: claim.epoch, position: claim.next ?? low };
    const consumer = new PartitionConsumer(owned, this.options, this.tools);
    const key = keyOf(consumer.at);
    consumer.setPaused(this.paused.has(key));
    const ended = consumer
      .run()
      .then(() => undefined)
      .catch((error: unknown) => this.fail(error))
      .then(() => this.giveUp(session, groupTopic.groupTopicId, partition))
      .finally(() => this.running.delete(key));
    this.running.set(key, { consumer, ended });
  }

  private async giveUp(session: MemberSession, groupTopicId: number, at: number): Promise<void> {
    if (session.lost.aborted || this.stopping.signal.aborted) return;
    // A failure here ends the session, which frees the partition all the same.
    await session
      .release(groupTopicId, at)
      .then(() => session.tellMembers())
      .catch(() => undefined);
  }

  private announce(ends: TopicEnds): void {
    for (const { topicId, topic } of this.groupTopics) {
      for (const [partition, { high }] of ends.get(topicId) ?? []) {
        this.running.get(keyOf({ topic, partition }))?.consumer.sawHigh(high);
      }
    }
  }

  private fail(error: unknown): void {
    this.failure ??= error instanceof Error ? error : new Error(String(error));
    this.stopping.abort();
    this.bell.ring();
  }

  private revokeAll(): void {
    for (const { consumer } of this.running.values()) consumer.revoke();
  }

  /** A handler that ignores its signal for longer is left behind; its late commit is fenced. */
  private async drain(): Promise<void> {
    const ended = Promise.all([...this.running.values()].map((running) => running.ended));
    const drained = new AbortController();
    await Promise.race([
      ended.then(() => drained.abort()),
      pause(this.tools.limits.drainMs, drained.signal),
    ]);
  }
}

function keyOf({ topic, partition }: TopicPartition): string {
  return `${topic}/${partition}`;
}
