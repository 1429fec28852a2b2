import kafkaError from 'kafkajs/src/protocol/error.js';
import { LogUnavailableError } from '../event-log.js';
import { CallGivenUpError } from '../driver/append-queue.js';
import { backOffMs, pause } from '../driver/pause.js';
import type { Shipment } from './append-plan.js';
import { faultType, isPassing, reason } from './faults.js';
import type { KafkaConnection } from './kafka-connection.js';
import type { KafkaLogLimits } from './kafka-log-limits.js';
import type { KafkaSettings } from './kafka-settings.js';
import { target, type KnownTopic } from './kafka-topics.js';
import { ProducerIdentity } from './producer-identity.js';
import { produceQuestion } from './produce-question.js';
import { sealBatch, type SealedBatch } from './record-batch/stored-batch.js';
import type { WireBroker, WireCluster } from './wire.js';
import { ask } from './wire-question.js';

const repeat_ms_max = 400;
/** The brokers have forgotten the producer: it begins anew under another id. */
const forgotten_types = new Set([
  'OUT_OF_ORDER_SEQUENCE_NUMBER',
  'UNKNOWN_PRODUCER_ID',
  'INVALID_PRODUCER_EPOCH',
  'INVALID_PRODUCER_ID_MAPPING',
]);
/**
 * Refusals of a leader that has not appended anything. Others may come after the append: when its
 * replicas are waited for, or when the partition has moved meanwhile.
 */
const unstored_types = new Set([
  ...forgotten_types,
  'MESSAGE_TOO_LARGE',
  'RECORD_LIST_TOO_LARGE',
  'INVALID_RECORD',
  'INVALID_TIMESTAMP',
  'CORRUPT_MESSAGE',
  'UNSUPPORTED_FOR_MESSAGE_FORMAT',
  'NOT_ENOUGH_REPLICAS',
  'INVALID_TOPIC_EXCEPTION',
  'TOPIC_AUTHORIZATION_FAILED',
  'CLUSTER_AUTHORIZATION_FAILED',
]);

/** One shipment on its way. */
interface Sending {
  readonly topic: KnownTopic;
  readonly batches: ReadonlyMap<number, SealedBatch>;
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
   * @throws LogUnavailableError at `deadline` or when the brokers refuse, CallGivenUpError.
   */
  async send(
    topic: KnownTopic,
    shipment: Shipment,
    deadline: number,
    leaving: () => void,
  ): Promise<ReadonlyMap<number, bigint>> {
    const bases = new Map<number, bigint>();
    const { compression } = this.settings;
    const batches = new Map(
      [...shipment].map(([partition, batch]) => [partition, sealBatch(batch, compression)]),
    );
    const sending: Sending = { topic, batches, bases, leaving, attempt: 0, unanswered: 0 };
    for (let attempt = 0; ; attempt += 1) {
      sending.attempt = attempt;
      try {
        const ms = Math.max(1, Math.min(this.limits.answerMs, deadline - Date.now()));
        await this.connection.use((cluster) => this.sendRest(cluster, sending), ms);
        return bases;
      } catch (error) {
        if (error instanceof CallGivenUpError) throw error;
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
    const { topic, batches, bases } = sending;
    await target(cluster, topic.name, topic.wireName);
    const identity = (this.identity ??= await newIdentity(cluster));
    const leaders = cluster.findTopicPartitionMetadata(topic.wireName);
    const byLeader = new Map<number, number[]>();
    for (const partition of batches.keys()) {
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
    const { topic, batches, attempt } = sending;
    const { answerMs } = this.limits;
    const produced = partitions.map((partition) => ({
      partition,
      batch: batches.get(partition)!,
      origin: identity.originOf(partition),
    }));
    sending.leaving();
    sending.unanswered += 1;
    const answers = await ask(broker, produceQuestion(topic.wireName, produced, answerMs));
    if (sending.attempt !== attempt) return;
    const refusals: Error[] = [];
    for (const { partition, errorCode, baseOffset } of answers) {
      if (errorCode === 0) {
        sending.bases.set(partition, baseOffset);
        identity.advance(partition, batches.get(partition)!.count);
      } else refusals.push(kafkaError.createErrorFromCode(errorCode));
    }
    if (refusals.every((refusal) => unstored_types.has(faultType(refusal)))) {
      sending.unanswered -= 1;
    }
    const [refusal] = refusals;
    if (refusal !== undefined) throw refusal;
  }
}

async function newIdentity(cluster: WireCluster): Promise<ProducerIdentity> {
  const broker = await cluster.findControllerBroker();
  const { producerId, producerEpoch } = await broker.initProducerId({ transactionTimeout: 60_000 });
  return new ProducerIdentity(BigInt(producerId), producerEpoch);
}
