import kafkajs from 'kafkajs';
import type { Logger } from '#runtime/logger.js';
import type { KafkaLogLimits } from './kafka-log-limits.js';
import type { KafkaSettings } from './kafka-settings.js';
import { toLogCreator } from './log-lines.js';
import type { Sockets } from './sockets.js';
import type { AskedBroker } from './wire-question.js';

const { Kafka } = kafkajs;

/** Offsets travel as decimal texts. */
export interface WirePartition {
  readonly partition: number;
  readonly offset: string;
}

export interface WireTopic {
  readonly topic: string;
  readonly partitions: readonly WirePartition[];
}

export interface WireGroup {
  readonly groupId: string;
  readonly state: string;
  readonly protocolType: string;
  readonly members: readonly { readonly memberId: string; readonly memberAssignment: Buffer }[];
}

interface ConfigEntry {
  readonly name: string;
  readonly value: string;
}

/** What the driver asks of one broker: requests of the protocol that kafkajs encodes. */
export interface WireBroker extends AskedBroker {
  apiVersions(): Promise<unknown>;
  initProducerId(request: {
    transactionTimeout: number;
  }): Promise<{ producerId: string; producerEpoch: number }>;
  listOffsets(request: {
    replicaId: number;
    isolationLevel: number;
    topics: { topic: string; partitions: { partition: number; timestamp: number }[] }[];
  }): Promise<{ responses: { partitions: WirePartition[] }[] }>;
  joinGroup(request: {
    groupId: string;
    sessionTimeout: number;
    rebalanceTimeout: number;
    memberId: string;
    groupProtocols: { name: string; metadata: Buffer }[];
  }): Promise<{
    generationId: number;
    leaderId: string;
    memberId: string;
    members: { memberId: string; memberMetadata: Buffer }[];
  }>;
  syncGroup(request: {
    groupId: string;
    generationId: number;
    memberId: string;
    groupAssignment: { memberId: string; memberAssignment: Buffer }[];
  }): Promise<{ memberAssignment: Buffer }>;
  heartbeat(request: {
    groupId: string;
    groupGenerationId: number;
    memberId: string;
  }): Promise<unknown>;
  leaveGroup(request: { groupId: string; memberId: string }): Promise<unknown>;
  offsetCommit(request: {
    groupId: string;
    groupGenerationId: number;
    memberId: string;
    topics: readonly WireTopic[];
  }): Promise<unknown>;
  /** No topics: all that the group has committed. */
  offsetFetch(request: {
    groupId: string;
    topics: { topic: string; partitions: { partition: number }[] }[];
  }): Promise<{ responses: WireTopic[] }>;
  listGroups(): Promise<{ groups: { groupId: string; protocolType: string }[] }>;
  describeGroups(request: { groupIds: string[] }): Promise<{ groups: WireGroup[] }>;
  createTopics(request: {
    timeout: number;
    topics: {
      topic: string;
      numPartitions: number;
      replicationFactor: number;
      configEntries: readonly ConfigEntry[];
    }[];
  }): Promise<unknown>;
  createPartitions(request: {
    timeout: number;
    topicPartitions: { topic: string; count: number }[];
  }): Promise<unknown>;
  describeConfigs(request: { resources: { type: number; name: string }[] }): Promise<{
    resources: {
      configEntries: { configName: string; configValue: string; configSource: number }[];
    }[];
  }>;
  alterConfigs(request: {
    resources: { type: number; name: string; configEntries: readonly ConfigEntry[] }[];
  }): Promise<unknown>;
  deleteRecords(request: { topics: readonly WireTopic[] }): Promise<unknown>;
}

/** The brokers of a cluster, which of them leads which partition, and the connections to them. */
export interface WireCluster {
  connect(): Promise<void>;
  disconnect(): Promise<void>;
  refreshMetadata(): Promise<void>;
  refreshMetadataIfNecessary(): Promise<void>;
  addMultipleTargetTopics(topics: readonly string[]): Promise<void>;
  getNodeIds(): string[];
  findBroker(node: { nodeId: string }): Promise<WireBroker>;
  findControllerBroker(): Promise<WireBroker>;
  findGroupCoordinator(group: { groupId: string }): Promise<WireBroker>;
  findTopicPartitionMetadata(topic: string): { partitionId: number; leader: number }[];
}

export const topic_resource = 2;
export const topic_config_source = 1;
export const read_committed = 1;

export interface ClusterOptions {
  readonly settings: KafkaSettings;
  readonly limits: KafkaLogLimits;
  readonly logger: Logger | undefined;
}

/**
 * The cluster as kafkajs knows it below its producer and its consumer. They are not used: the
 * consumer answers an offset that retention has removed by committing another one, ends for good
 * on errors it does not know, and shares every pause among the partitions of a broker; the producer
 * goes on sending in the background after its caller has given up. kafkajs hands its cluster to
 * whoever assigns partitions, which is where it is taken from.
 * @param sockets open every socket of the cluster.
 */
export function openCluster(options: ClusterOptions, sockets: Sockets): WireCluster {
  const { settings, limits, logger } = options;
  const kafka = new Kafka({
    brokers: [...settings.brokers],
    clientId: settings.clientId,
    ...(settings.tls !== undefined && { ssl: toTlsOptions(settings.tls) }),
    ...(settings.sasl !== undefined && { sasl: settings.sasl as kafkajs.SASLOptions }),
    connectionTimeout: limits.connectMs,
    authenticationTimeout: limits.connectMs,
    requestTimeout: limits.answerMs,
    // The driver repeats by itself, with its own deadlines.
    retry: { retries: 1, initialRetryTime: limits.retryMsMin, maxRetryTime: limits.retryMsMin },
    logCreator: toLogCreator(logger),
    socketFactory: (target) => sockets.connect(target),
  });
  let cluster: unknown;
  kafka.consumer({
    groupId: settings.clientId,
    allowAutoTopicCreation: false,
    metadataMaxAge: limits.topicRefreshMs,
    partitionAssigners: [
      (assigning) => {
        ({ cluster } = assigning);
        return { name: '', version: 0, assign: async () => [], protocol: () => no_protocol };
      },
    ],
  });
  return cluster as WireCluster;
}

const no_protocol = { name: '', metadata: Buffer.alloc(0) };

function toTlsOptions({ ca }: { readonly ca?: string }): { readonly ca?: string[] } {
  return ca === undefined ? {} : { ca: [ca] };
}
