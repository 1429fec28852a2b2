import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { withKafka } from '../testing/with-kafka.js';
import { KafkaConnection } from './kafka-connection.js';
import { default_kafka_log_limits } from './kafka-log-limits.js';
import { default_kafka_settings } from './kafka-settings.js';
import { KafkaTopics, type KnownTopic } from './kafka-topics.js';
import { Questions } from './questions.js';
import { ByteWriter } from './record-batch/byte-writer.js';
import { RecordBatch, writeRecord } from './record-batch/record-batch.js';
import { TopicProducer } from './topic-producer.js';

withKafka('a shipment to several partitions', (brokers) => {
  describe('a shipment to several partitions', () => {
    const settings = { ...default_kafka_settings, brokers, topicPrefix: `${randomUUID()}.` };
    const limits = { ...default_kafka_log_limits, recordBytesMax: 20_000 };
    const connection = new KafkaConnection({ settings, limits, logger: undefined });
    const topics = new KafkaTopics(new Questions(connection, limits), settings, limits);
    const small = batchOf('small');
    const tooLarge = batchOf(randomBytes(200_000));
    let topic: KnownTopic;

    beforeAll(async () => {
      await topics.ensure([{ name: 't', partitions: 2, retentionMs: 3_600_000 }]);
      topic = await topics.get('t');
    });
    afterAll(() => connection.close());

    function batchOf(value: string | Uint8Array): RecordBatch {
      const written = new ByteWriter();
      writeRecord(written, { key: 'k', value });
      const batch = new RecordBatch();
      batch.add(written);
      return batch;
    }

    function send(...batches: readonly [number, RecordBatch][]) {
      const producer = new TopicProducer(connection, settings, limits);
      return producer.send(topic, new Map(batches), Date.now() + 5_000, () => undefined);
    }

    it('has an offset in each of them', async () => {
      expect(await send([0, small], [1, small])).toEqual(
        new Map([
          [0, 0n],
          [1, 0n],
        ]),
      );
    });

    it('is not in doubt when the broker refused all of it', async () => {
      await expect(send([0, tooLarge])).rejects.toMatchObject({ outcomeUnknown: false });
      await expect(send([0, tooLarge], [1, tooLarge])).rejects.toMatchObject({
        outcomeUnknown: false,
      });
    });

    it('is in doubt as a whole when one of them has taken its part', async () => {
      await expect(send([0, tooLarge], [1, small])).rejects.toMatchObject({
        outcomeUnknown: true,
      });
      expect(await send([0, small], [1, small])).toEqual(
        new Map([
          [0, 1n],
          [1, 2n],
        ]),
      );
    });
  });
});
