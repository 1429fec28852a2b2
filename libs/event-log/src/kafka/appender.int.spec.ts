import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LogUnavailableError, type LogAck, type LogRecord } from '../event-log.js';
import { withKafka } from '../testing/with-kafka.js';
import { Appender } from './appender.js';
import { KafkaConnection } from './kafka-connection.js';
import { default_kafka_log_limits } from './kafka-log-limits.js';
import { default_kafka_settings } from './kafka-settings.js';
import { KafkaTopics } from './kafka-topics.js';
import { LogReader } from './log-reader.js';
import { Questions } from './questions.js';

const calls_min = 150;
const cuts_min = 12;

withKafka('appends over connections that are cut', (brokers) => {
  describe('appends over connections that are cut', () => {
    const settings = { ...default_kafka_settings, brokers, topicPrefix: `${randomUUID()}.` };
    const limits = { ...default_kafka_log_limits, retryMsMin: 5 };
    const appending = new KafkaConnection({ settings, limits, logger: undefined });
    const asking = new KafkaConnection({ settings, limits, logger: undefined });
    const topics = new KafkaTopics(new Questions(asking, limits), settings, limits);

    beforeAll(() => topics.ensure([{ name: 't', partitions: 2, retentionMs: 3_600_000 }]));
    afterAll(() => {
      appending.close();
      asking.close();
    });

    async function everything(): Promise<LogRecord[]> {
      const records: LogRecord[] = [];
      for await (const batch of new LogReader(topics, limits).read('t')) {
        records.push(...batch.records);
      }
      return records;
    }

    it('are repeated until they are acknowledged, and every record is there once', async () => {
      const appender = new Appender(appending, topics, settings, limits);
      const acked = new Map<string, LogAck>();
      let running = true;
      let cuts = 0;
      const cutting = (async () => {
        // Requests are cut off before they leave, under way, and before their answer comes.
        for (; running; cuts += 1) {
          await sleep(20 + (cuts % 17) * 3);
          appending.reset();
        }
      })();
      let calls = 0;
      for (; calls < calls_min || cuts < cuts_min; calls += 1) {
        const names = Array.from({ length: 20 }, (_, index) => `${calls}-${index}`);
        const acks = await appender.append(
          't',
          names.map((name) => ({ key: name, value: name })),
        );
        names.forEach((name, index) => acked.set(name, acks[index]!));
      }
      running = false;
      await cutting;
      await appender.close();
      const records = await everything();
      const places = new Map(
        records.map(({ key, partition, offset }) => [key, { partition, offset }]),
      );
      expect(records).toHaveLength(calls * 20);
      expect(places).toEqual(acked);
    });

    it('are refused at the deadline, and nothing is in doubt when nobody was reached', async () => {
      const nowhere = new KafkaConnection({
        settings: { ...settings, brokers: ['127.0.0.1:1'] },
        limits,
        logger: undefined,
      });
      const short = { ...limits, appendDeadlineMs: 300 };
      const append = new Appender(nowhere, topics, settings, short).append('t', [
        { key: 'k', value: 'v' },
      ]);
      await expect(append).rejects.toMatchObject({
        name: LogUnavailableError.name,
        outcomeUnknown: false,
      });
      nowhere.close();
    });
  });
});
