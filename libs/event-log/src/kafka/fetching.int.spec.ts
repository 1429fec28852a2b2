import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { withKafka } from '../testing/with-kafka.js';
import { faultType } from './faults.js';
import { fetchFrom, type FetchedPosition } from './fetching.js';
import { KafkaEventLog } from './kafka-event-log.js';
import { KafkaConnection } from './kafka-connection.js';
import { default_kafka_log_limits as limits } from './kafka-log-limits.js';
import { default_kafka_settings } from './kafka-settings.js';

withKafka('a fetch of several partitions', (brokers) => {
  describe('a fetch of several partitions', () => {
    const settings = { ...default_kafka_settings, brokers, topicPrefix: `${randomUUID()}.` };
    const log = new KafkaEventLog({ settings });
    const connection = new KafkaConnection({ settings, limits, logger: undefined });
    const wireName = `${settings.topicPrefix}t`;

    beforeAll(async () => {
      await log.open();
      await log.ensureTopics([{ name: 't', partitions: 3, retentionMs: 3_600_000 }]);
      const records = Array.from({ length: 60 }, (_, index) => `k${index}`);
      await log.append(
        't',
        records.map((key) => ({ key, value: key })),
      );
    });
    afterAll(async () => {
      connection.close();
      await log.close();
    });

    it('takes what there is before it tells of a partition that was refused', async () => {
      const position = (partition: number, offset: bigint) => ({
        topic: 't',
        wireName,
        partition,
        offset,
      });
      const positions = [position(0, 0n), position(1, 1_000n), position(2, 2n)];
      const taken: FetchedPosition[] = [];
      const fetched = connection.use(async (cluster) => {
        await cluster.addMultipleTargetTopics([wireName]);
        const request = { positions, patience: { bytesMin: 1, waitMs: 100 }, limits };
        await fetchFrom(await cluster.findControllerBroker(), request, (one) => taken.push(one));
      });
      const refusal: unknown = await fetched.catch((error: unknown) => error);
      expect(faultType(refusal)).toBe('OFFSET_OUT_OF_RANGE');
      const ranges = new Map(
        (await log.ranges('t')).map(({ partition, high }) => [partition, high]),
      );
      expect(new Map(taken.map(({ position, next }) => [position.partition, next]))).toEqual(
        new Map([
          [0, ranges.get(0)],
          [2, ranges.get(2)],
        ]),
      );
      expect(taken.find(({ position }) => position.partition === 2)?.records[0]?.offset).toBe(2n);
    });
  });
});
