import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LogRecord } from '#event-log/event-log.js';
import { KafkaEventLog } from '#event-log/kafka/kafka-event-log.js';
import { default_kafka_log_limits } from '#event-log/kafka/kafka-log-limits.js';
import { eventually } from '../support/eventually.js';
import { NumberedAppender } from './numbered-appender.js';
import { kafka_jars, notTried, startOwnBroker, type OwnBroker } from './own-broker.js';

const topic = 'killed.v1';
const patience_ms = 60_000;
const suite = 'a Kafka broker that is killed with -9 under load';

/** What kafkajs by itself let a send hang for in such a case. */
const hang_of_kafkajs_ms = 15_000;

function brokerKilled(jars: string): void {
  let own: OwnBroker;
  let log: KafkaEventLog;

  beforeAll(async () => {
    own = await startOwnBroker(jars);
    log = new KafkaEventLog({ settings: { brokers: [own.broker.address] } });
    await log.open();
    await log.ensureTopics([{ name: topic, partitions: 3, retentionMs: 3_600_000 }]);
  });
  afterAll(async () => {
    await log?.close();
    await own?.remove();
  });

  async function everything(): Promise<LogRecord[]> {
    const records: LogRecord[] = [];
    for await (const batch of log.read(topic)) records.push(...batch.records);
    return records;
  }

  it('has every acknowledged record after its restart, and its consumer goes on', async () => {
    const consumed = new Map<string, number>();
    const subscription = await log.subscribe({
      group: 'survivor',
      topics: [topic],
      handler: async ({ records }) => {
        for (const { key } of records) consumed.set(key, (consumed.get(key) ?? 0) + 1);
      },
    });
    const appenders = ['a', 'b', 'c'].map((name) => new NumberedAppender(log, topic, name));
    const runs = appenders.map((appender) => appender.run());
    for (const downMs of [0, 3_000]) {
      await sleep(1_000);
      await own.broker.kill();
      await sleep(downMs);
      await own.broker.start();
    }
    const acknowledgements = async () => appenders.flatMap(({ acked }) => [...acked]);
    const before = (await acknowledgements()).length;
    await eventually(acknowledgements, (acked) => acked.length > before + 500, patience_ms);
    appenders.forEach((appender) => appender.stop());
    await Promise.all(runs);

    const settled = appenders.flatMap((appender) => appender.settled);
    const longest = Math.max(...settled.map(({ tookMs }) => tookMs));
    process.stdout.write(
      `${settled.length} appends, ${settled.filter(({ acknowledged }) => !acknowledged).length}` +
        ` refused, the longest took ${Math.round(longest)} ms\n`,
    );
    expect(longest).toBeLessThan(hang_of_kafkajs_ms);

    const records = await everything();
    const places = new Map(records.map((record) => [record.key, record]));
    const lost = (await acknowledgements()).filter(([name, { partition, offset }]) => {
      const found = places.get(name);
      return found?.partition !== partition || found.offset !== offset;
    });
    expect(lost).toEqual([]);
    expect(records).toHaveLength(places.size);
    await eventually(
      async () => consumed.size,
      (size) => size === places.size,
      patience_ms,
    );
    await subscription.stop();
  }, 180_000);

  it('is told to be down while it is away, and up again after it', async () => {
    expect(await log.health()).toMatchObject({ up: true });
    await own.broker.kill();
    await sleep(default_kafka_log_limits.healthKeptMs);
    expect(await log.health()).toEqual({ up: false, detail: 'Kafka does not answer' });
    const away = log.append(topic, [{ key: 'away', value: 'x' }]);
    await expect(away).rejects.toMatchObject({ outcomeUnknown: false });
    await own.broker.start();
    await eventually(
      () => log.health(),
      ({ up }) => up,
      patience_ms,
    );
    await log.append(topic, [{ key: 'back', value: 'x' }]);
  }, 60_000);
}

if (kafka_jars === undefined) {
  describe(notTried(suite), () => {
    it('has no Kafka: UPTAKE_TEST_KAFKA_JARS is not set', () => {
      expect(kafka_jars).toBeUndefined();
    });
  });
} else {
  const jars = kafka_jars;
  describe(suite, () => brokerKilled(jars));
}
