import kafkajs from 'kafkajs';

/**
 * Removes what is older than its topic keeps it, now: a broker looks every five minutes, and only
 * at segments that are full.
 */
export async function applyRetention(brokers: readonly string[], prefix: string): Promise<void> {
  const { ConfigResourceTypes, Kafka, logLevel } = kafkajs;
  const admin = new Kafka({ brokers: [...brokers], logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  try {
    const topics = (await admin.listTopics()).filter((topic) => topic.startsWith(prefix));
    const { resources } = await admin.describeConfigs({
      includeSynonyms: false,
      resources: topics.map((name) => ({
        type: ConfigResourceTypes.TOPIC,
        name,
        configNames: ['retention.ms'],
      })),
    });
    for (const { resourceName, configEntries } of resources) {
      const keptMs = Number(configEntries[0]!.configValue);
      if (keptMs > 60_000) continue;
      const expired = await admin.fetchTopicOffsetsByTimestamp(resourceName, Date.now() - keptMs);
      await admin.deleteTopicRecords({ topic: resourceName, partitions: expired });
    }
  } finally {
    await admin.disconnect();
  }
}
