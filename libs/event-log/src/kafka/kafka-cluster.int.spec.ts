import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../contract/eventually.js';
import type { LogRecord, Subscription } from '../event-log.js';
import { withKafka } from '../testing/with-kafka.js';
import { KafkaEventLog, type KafkaEventLogOptions } from './kafka-event-log.js';
import type { KafkaLogLimits } from './kafka-log-limits.js';

const hour_ms = 60 * 60 * 1000;
const quick: Partial<KafkaLogLimits> = { heartbeatMs: 100, sessionTimeoutMs: 6_000 };

withKafka('the log on a cluster that others use, too', (brokers) => {
  describe('the log on a cluster that others use, too', () => {
    let topicPrefix: string;
    let log: KafkaEventLog;
    const opened: KafkaEventLog[] = [];

    beforeEach(async () => {
      topicPrefix = `${randomUUID()}.`;
      log = await open();
    });
    afterEach(async () => {
      await Promise.all(opened.splice(0).map((open) => open.close()));
    });

    async function open(
      settings: Partial<KafkaEventLogOptions['settings']> = {},
      limits: Partial<KafkaLogLimits> = {},
    ): Promise<KafkaEventLog> {
      const options = { settings: { brokers, topicPrefix, ...settings } };
      const fresh = new KafkaEventLog({ ...options, limits: { ...quick, ...limits } });
      await fresh.open();
      opened.push(fresh);
      return fresh;
    }

    const record = (text: string) => ({ key: text, value: text });
    const ensure = (partitions: number, to = log) =>
      to.ensureTopics([{ name: 't', partitions, retentionMs: hour_ms }]);

    it('has its topics made by three processes at once, also when they disagree', async () => {
      const others = await Promise.all([open(), open()]);
      await Promise.all([log, ...others].map((each, index) => ensure(index + 2, each)));
      expect(await log.ranges('t')).toHaveLength(4);
      await Promise.all([log, ...others].map((each, index) => ensure(index + 5, each)));
      expect(await log.ranges('t')).toHaveLength(7);
    });

    it('shows nothing of another installation on the same cluster', async () => {
      await ensure(1);
      await log.append('t', [record('mine')]);
      await log.resetGroup('g', 't', { at: 'beginning' });
      const other = await open({ topicPrefix: `${randomUUID()}.` });
      expect(await other.groups()).toEqual([]);
      await expect(other.ranges('t')).rejects.toThrow('no topic "t"');
      expect(await log.groups()).toEqual([{ group: 'g', topics: ['t'], members: 0 }]);
    });

    it('refuses a record that no broker takes, and nothing else of that moment', async () => {
      const small = await open({}, { recordBytesMax: 100_000 });
      await ensure(1, small);
      const appends = await Promise.allSettled([
        small.append('t', [record('before')]),
        small.append('t', [record('x'.repeat(200_000))]),
        small.append('t', [record('after')]),
      ]);
      expect(appends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
      expect(appends[1]).toMatchObject({ reason: { name: 'RangeError' } });
    });

    it('hands the partitions that a topic gets later to a group that runs', async () => {
      await ensure(1);
      const member = await open({}, { topicRefreshMs: 200 });
      const seen: LogRecord[] = [];
      const subscription = await member.subscribe({
        group: 'g',
        topics: ['t'],
        handler: async ({ records }) => void seen.push(...records),
      });
      await ensure(3);
      await eventually('it owns all three', () => subscription.assignment().length === 3);
      const acks = await log.append(
        't',
        Array.from({ length: 50 }, (_, number) => record(`k${number}`)),
      );
      expect(new Set(acks.map(({ partition }) => partition)).size).toBe(3);
      await eventually('everything is delivered', () => seen.length === 50);
    });

    it('loses nothing and redoes nothing committed when members come and go', async () => {
      await ensure(6);
      const seen = new Map<string, number>();
      const join = async (): Promise<Subscription> =>
        (await open()).subscribe({
          group: 'g',
          topics: ['t'],
          batchRecordsMax: 20,
          handler: async ({ records }) => {
            await sleep(2);
            for (const { key } of records) seen.set(key, (seen.get(key) ?? 0) + 1);
          },
        });
      let appended = 0;
      let appending = true;
      const load = (async () => {
        while (appending) {
          const names = Array.from({ length: 40 }, () => record(`n${appended++}`));
          await log.append('t', names);
          await sleep(5);
        }
      })();
      const members = [await join()];
      for (let joined = 0; joined < 2; joined += 1) members.push(await join());
      await sleep(300);
      await members.shift()!.stop();
      members.push(await join());
      await members.shift()!.stop();
      appending = false;
      await load;
      await eventually('everything is delivered', () => seen.size === appended);
      // Every member left or gave up in good order: what was done was committed before.
      expect([...seen.values()].filter((times) => times > 1)).toEqual([]);
      for (const { lag } of await log.lag('g', 't')) expect(lag).toBeGreaterThanOrEqual(0n);
      await Promise.all(members.map((member) => member.stop()));
    });

    it('says why when the broker does not speak TLS, or asks for no credentials', async () => {
      const tls = open({ tls: {} });
      await expect(tls).rejects.toThrow(/KAFKA_BROKERS cannot be reached/);
      const sasl = { mechanism: 'plain', username: 'u', password: 'hunter2' } as const;
      const refused: unknown = await open({ sasl }).catch((error: unknown) => error);
      expect(String(refused)).toMatch(/SASL/);
      expect(String(refused)).not.toContain('hunter2');
    });
  });
});
