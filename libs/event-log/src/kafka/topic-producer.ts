import { LogUnavailableError } from '../event-log.js';
import { backOffMs, pause } from '../driver/pause.js';
import type { Shipment } from './append-plan.js';
import { faultType, isPassing, isRefusal, reason } from './faults.js';
import type { KafkaConnection } from './kafka-connection.js';
import type { KafkaLogLimits } from './kafka-log-limits.js';
import type { KafkaSettings } from './kafka-settings.js';
import { target, type KnownTopic } from './kafka-topics.js';
import { ProducerIdentity } from './producer-identity.js';
import { compression_types, type WireBroker, type WireCluster } from './wire.js';

const all_replicas = -1;
const repeat_ms_max = 400;
/** Refusals after which the leader has the records all the same. */
const appended_types = new Set(['REQUEST_TIMED_OUT', 'NOT_ENOUGH_REPLICAS_AFTER_APPEND']);
/** The brokers have forgotten the producer: it begins anew under another id. */
const forgotten_types = new Set([
  'OUT_OF_ORDER_SEQUENCE_NUMBER',
  'UNKNOWN_PRODUCER_ID',
  'INVALID_PRODUCER_EPOCH',
  'INVALID_PRODUCER_ID_MAPPING',
]);

/** One shipment on its way. */
interface Sending {
  readonly topic: KnownTopic;
  readonly shipment: Shipment;
  readonly bases: Map<number, bigint>;
  readonly leaving: () => void;
  /** Which try is under way; what an earlier one hears late does not count. */
  attempt: number;
  /** Requests that may be in the log although no base offset says so. */
  unanswered: number;
}

/**
 * The idempotent producer of one topic. The caller sends one shipment after the other: two at once
 * and one lost answer would lose records in silence. A repeat of a shipment carries the same
 * sequence numbers, so a try whose answer was lost is found again; after a shipment that failed for
 * good the producer is another one, because nobody knows which number comes next.
 */
export class TopicProducer {
  private identity: ProducerIdentity | null = null;

  constructor(
    private readonly connection: KafkaConnection,
    private readonly settings: KafkaSettings,
    private readonly limits: KafkaLogLimits,
  ) {}

  /**
   * Answers the first offset of each partition, once every replica in sync has it.
   * @throws LogUnavailableError at `deadline` or when the brokers refuse.
   */
  async send(
    topic: KnownTopic,
    shipment: Shipment,
    deadline: number,
    leaving: () => void,
  ): Promise<ReadonlyMap<number, bigint>> {
    const bases = new Map<number, bigint>();
    const sending: Sending = { topic, shipment, bases, leaving, attempt: 0, unanswered: 0 };
    for (let attempt = 0; ; attempt += 1) {
      sending.attempt = attempt;
      try {
        const ms = Math.max(1, Math.min(this.limits.answerMs, deadline - Date.now()));
        await this.connection.use((cluster) => this.sendRest(cluster, sending), ms);
        return bases;
      } catch (error) {
        const forgotten = forgotten_types.has(faultType(error));
        if (forgotten) this.identity = null;
        const wait = backOffMs(attempt, this.limits.retryMsMin, repeat_ms_max);
        if ((!forgotten && !isPassing(error)) || Date.now() + wait >= deadline) {
          this.identity = null;
          const outcomeUnknown = sending.unanswered > 0 || bases.size > 0;
          throw new LogUnavailableError(reason(error), outcomeUnknown, error);
        }
        await pause(wait);
      }
    }
  }

  /** Sends what has no base offset yet to the brokers that lead its partitions now. */
  private async sendRest(cluster: WireCluster, sending: Sending): Promise<void> {
    const { topic, shipment, bases } = sending;
    await target(cluster, topic.name, topic.wireName);
    const identity = (this.identity ??= await newIdentity(cluster));
    const leaders = cluster.findTopicPartitionMetadata(topic.wireName);
    const byLeader = new Map<number, number[]>();
    for (const partition of shipment.keys()) {
      if (bases.has(partition)) continue;
      const leader = leaders.find(({ partitionId }) => partitionId === partition)?.leader ?? -1;
      byLeader.set(leader, [...(byLeader.get(leader) ?? []), partition]);
    }
    const sent = await Promise.allSettled(
      [...byLeader].map(async ([leader, partitions]) => {
        const broker = await cluster.findBroker({ nodeId: String(leader) });
        await this.sendTo(broker, identity, partitions, sending);
      }),
    );
    const failed = sent.find((result) => result.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }

  private async sendTo(
    broker: WireBroker,
    identity: ProducerIdentity,
    partitions: readonly number[],
    sending: Sending,
  ): Promise<void> {
    const { topic, shipment, attempt } = sending;
    sending.unanswered += 1;
    sending.leaving();
    try {
      const { topics } = await broker.produce({
        producerId: identity.id,
        producerEpoch: identity.epoch,
        acks: all_replicas,
        timeout: this.limits.answerMs,
        compression: compression_types[this.settings.compression],
        topicData: [
          {
            topic: topic.wireName,
            partitions: partitions.map((partition) => ({
              partition,
              firstSequence: identity.sequenceOf(partition),
              messages: shipment.get(partition)!,
            })),
          },
        ],
      });
      if (sending.attempt !== attempt) return;
      for (const { partition, baseOffset } of topics.flatMap((answer) => answer.partitions)) {
        sending.bases.set(partition, BigInt(baseOffset));
        identity.advance(partition, shipment.get(partition)!.length);
      }
      sending.unanswered -= 1;
    } catch (error) {
      // kafkajs tells the first refusal only: of several partitions some may have taken theirs.
      const certain =
        isRefusal(error) && partitions.length === 1 && !appended_types.has(faultType(error));
      if (certain) sending.unanswered -= 1;
      throw error;
    }
  }
}

async function newIdentity(cluster: WireCluster): Promise<ProducerIdentity> {
  const broker = await cluster.findControllerBroker();
  const { producerId, producerEpoch } = await broker.initProducerId({ transactionTimeout: 60_000 });
  return new ProducerIdentity(producerId, producerEpoch);
}
