import type { TopicSpec } from '../event-log.js';
import { faultType } from './faults.js';
import type { KafkaSettings } from './kafka-settings.js';
import { topic_config_source, topic_resource, type WireBroker, type WireCluster } from './wire.js';

type TopicPlan = Pick<KafkaSettings, 'replicationFactor' | 'minInsyncReplicas'> & {
  readonly recordBytesMax: number;
};

const answer_ms = 3_000;
const min_insync = 'min.insync.replicas';
/** Room for the head of a batch beside its records, which may not shrink when compressed. */
export const batch_overhead_bytes = 1_024;

/**
 * Creates a topic or brings it to its specification. Several processes may do so at once: whoever
 * comes second finds it done.
 */
export async function ensureTopic(
  cluster: WireCluster,
  wireName: string,
  spec: TopicSpec,
  plan: TopicPlan,
): Promise<void> {
  const broker = await cluster.findControllerBroker();
  const wanted = wantedConfig(spec, plan);
  if (await createTopic(broker, wireName, spec, plan, wanted)) return;
  await raisePartitions(cluster, broker, wireName, spec.partitions);
  await changeConfig(broker, wireName, wanted);
}

function wantedConfig(spec: TopicSpec, plan: TopicPlan): Map<string, string> {
  const { minInsyncReplicas } = plan;
  return new Map([
    // One is asked for by nobody: the cluster may have a safer default.
    ...(minInsyncReplicas > 1 ? [[min_insync, String(minInsyncReplicas)] as const] : []),
    ['retention.ms', String(spec.retentionMs)],
    ['message.timestamp.type', 'LogAppendTime'],
    ['max.message.bytes', String(plan.recordBytesMax + batch_overhead_bytes)],
    // Compaction would remove acknowledged events.
    ['cleanup.policy', 'delete'],
  ]);
}

/** False when the topic is there already. */
async function createTopic(
  broker: WireBroker,
  wireName: string,
  { partitions }: TopicSpec,
  { replicationFactor }: TopicPlan,
  config: ReadonlyMap<string, string>,
): Promise<boolean> {
  try {
    const configEntries = [...config].map(([name, value]) => ({ name, value }));
    const topic = { topic: wireName, numPartitions: partitions, replicationFactor, configEntries };
    await broker.createTopics({ timeout: answer_ms, topics: [topic] });
    return true;
  } catch (error) {
    if (faultType(error) === 'TOPIC_ALREADY_EXISTS') return false;
    throw error;
  }
}

async function raisePartitions(
  cluster: WireCluster,
  broker: WireBroker,
  wireName: string,
  count: number,
): Promise<void> {
  await cluster.addMultipleTargetTopics([wireName]);
  await cluster.refreshMetadata();
  if (cluster.findTopicPartitionMetadata(wireName).length >= count) return;
  try {
    await broker.createPartitions({
      timeout: answer_ms,
      topicPartitions: [{ topic: wireName, count }],
    });
  } catch (error) {
    // Another process has raised it meanwhile; the caller looks whether that is enough.
    if (faultType(error) !== 'INVALID_PARTITIONS') throw error;
  }
}

/** Changes what differs; what an operator has set beside it stays, or has made safer. */
async function changeConfig(
  broker: WireBroker,
  wireName: string,
  asked: ReadonlyMap<string, string>,
): Promise<void> {
  const { resources } = await broker.describeConfigs({
    resources: [{ type: topic_resource, name: wireName }],
  });
  const found = resources.flatMap(({ configEntries }) => configEntries);
  const valueOf = (sought: string) =>
    found.find(({ configName }) => configName === sought)?.configValue;
  const wanted = [...asked].filter(
    ([name, value]) => name !== min_insync || Number(value) > Number(valueOf(name) ?? 0),
  );
  const differs = wanted.some(([name, value]) => valueOf(name) !== value);
  if (!differs) return;
  // The request replaces every setting of the topic, so those that it has are sent again.
  const own = found.filter(({ configSource }) => configSource === topic_config_source);
  const settings = new Map([
    ...own.map(({ configName, configValue }) => [configName, configValue] as const),
    ...wanted,
  ]);
  await broker.alterConfigs({
    resources: [
      {
        type: topic_resource,
        name: wireName,
        configEntries: [...settings].map(([name, value]) => ({ name, value })),
      },
    ],
  });
}
