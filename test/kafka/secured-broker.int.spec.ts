import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { EventLog } from '#event-log/event-log.js';
import { openEventLog } from '#event-log/open-event-log.js';
import { loadConfig } from '#runtime/load-config.js';
import { createLogger } from '#runtime/logger.js';
import { eventually } from '../support/eventually.js';
import { kafka_jars, notTried, startOwnBroker, type OwnBroker } from './own-broker.js';

const suite = 'a Kafka broker that demands TLS and a password';
const mechanisms = ['plain', 'scram-sha-256', 'scram-sha-512'] as const;
const username = 'uptake';
const newPassword = () => randomBytes(24).toString('base64url');
const password = newPassword();
const wrong_password = newPassword();
/** kafkajs proves itself again 10 s before the end; Kafka refuses that within the same second. */
const session_ms = 12_000;
const busy_ms = 6_000;
const hour_ms = 3_600_000;
/** Far less than the 352 MB of the frame that a TLS alert looks like. */
const buffers_bytes_max = 64 * 1024 * 1024;

type Environment = Readonly<Record<string, string>>;

/** A group that remembers the keys of what it was handed, be it once or twice. */
async function handle(log: EventLog, topic: string) {
  const handled = new Set<string>();
  const subscription = await log.subscribe({
    group: `group.of.${topic}`,
    topics: [topic],
    handler: async ({ records }) => records.forEach(({ key }) => handled.add(key)),
  });
  return {
    /** Stops when there are `count`, or more. */
    first: async (count: number): Promise<string[]> => {
      await eventually(
        async () => handled.size,
        (size) => size >= count,
      );
      await subscription.stop();
      return [...handled].sort();
    },
  };
}

function securedBroker(jars: string): void {
  let own: OwnBroker;
  let lines: string[] = [];
  const opened: EventLog[] = [];

  beforeAll(async () => {
    const security = { username, password, reauthenticateMs: session_ms };
    own = await startOwnBroker(jars, security);
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((log) => log.close()));
    lines = [];
  });
  afterAll(() => own?.remove());

  const tls = () => ({ KAFKA_TLS: 'true', KAFKA_TLS_CA: own.broker.certificate });
  const sasl = (mechanism: string, given = password) => ({
    KAFKA_SASL_MECHANISM: mechanism,
    KAFKA_SASL_USERNAME: username,
    KAFKA_SASL_PASSWORD: given,
  });

  async function open(environment: Environment, address = own.broker.address): Promise<EventLog> {
    const identity = { IDENTITY_PEPPER: 'x'.repeat(32) };
    const config = loadConfig({ ...identity, KAFKA_BROKERS: address, ...environment });
    const logger = createLogger('spec', 'trace', { write: (line) => lines.push(line) });
    const log = await openEventLog(config, logger);
    opened.push(log);
    return log;
  }

  /** What is said of a log that does not open. */
  async function refusalOf(environment: Environment, address?: string): Promise<string> {
    const error = await open(environment, address).then(
      () => new Error('it opened'),
      (thrown: unknown) => thrown as Error,
    );
    for (let at: unknown = error; at instanceof Error; at = at.cause) lines.push(at.stack ?? '');
    return error.message;
  }

  /** Neither the text nor the forms in which SASL sends it is in a line or an error. */
  function expectUntold(secret: string): void {
    const forms = [
      secret,
      Buffer.from(secret).toString('base64'),
      Buffer.from(`\0${username}\0${secret}`).toString('base64'),
      String([...Buffer.from(secret)]),
    ];
    expect(lines.filter((line) => forms.some((form) => line.includes(form)))).toEqual([]);
  }

  describe.each(mechanisms)('that is proven by %s', (mechanism) => {
    it('takes records, gives them back and hands them to a group', async () => {
      const log = await open({ ...tls(), ...sasl(mechanism) });
      expect(await log.health()).toEqual({ up: true, detail: 'Kafka answers' });
      const topic = `secured.${mechanism}`;
      await log.ensureTopics([{ name: topic, partitions: 2, retentionMs: hour_ms }]);
      const keys = Array.from({ length: 20 }, () => randomUUID()).sort();
      await log.append(
        topic,
        keys.map((key) => ({ key, value: key })),
      );
      const read: string[] = [];
      for await (const { records } of log.read(topic)) read.push(...records.map(({ key }) => key));
      expect(read.sort()).toEqual(keys);
      const handling = await handle(log, topic);
      expect(await handling.first(keys.length)).toEqual(keys);
      expect(lines).not.toEqual([]);
      expectUntold(password);
    });

    it('names the settings of a wrong password, and tells nobody what it is', async () => {
      const refusal = await refusalOf({ ...tls(), ...sasl(mechanism, wrong_password) });
      expect(refusal).toMatch(/authentication failed.*KAFKA_SASL_USERNAME.*KAFKA_SASL_PASSWORD/);
      expect(lines).not.toEqual([]);
      expectUntold(wrong_password);
    });

    it('is asked again and again to prove itself, and loses nothing by that', async () => {
      const log = await open({ ...tls(), ...sasl(mechanism) });
      const topic = `again.${mechanism}`;
      await log.ensureTopics([{ name: topic, partitions: 2, retentionMs: hour_ms }]);
      const handling = await handle(log, topic);
      const keys: string[] = [];
      const until = Date.now() + busy_ms;
      while (Date.now() < until) {
        const key = randomUUID();
        await log.append(topic, [{ key, value: 'x' }]);
        keys.push(key);
        await sleep(20);
      }
      expect(await handling.first(keys.length)).toEqual(keys.sort());
    });
  });

  it('names the setting of the certificate when nobody vouches for its own', async () => {
    const refusal = await refusalOf({ KAFKA_TLS: 'true', ...sasl('plain') });
    expect(refusal).toContain('self-signed certificate');
    expect(refusal).toContain('KAFKA_TLS_CA');
  });

  it.each<[string, () => Environment]>([
    ['no TLS and no password', () => ({})],
    ['a password without TLS', () => sasl('scram-sha-512')],
    ['TLS without a password', tls],
  ])('names the settings of a client with %s, and reads no endless answer', async (_, given) => {
    const before = process.memoryUsage().arrayBuffers;
    expect(await refusalOf(given())).toMatch(/KAFKA_TLS and KAFKA_SASL_MECHANISM/);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(buffers_bytes_max);
  });

  it('names the settings of a client with TLS where the broker demands neither', async () => {
    const open_to_all = process.env['UPTAKE_TEST_KAFKA_BROKERS'];
    const refusal = await refusalOf({ ...tls(), ...sasl('plain') }, open_to_all);
    expect(refusal).toMatch(/KAFKA_TLS and KAFKA_SASL_MECHANISM/);
  });
}

if (kafka_jars === undefined) {
  describe(notTried(suite), () => {
    it('has no Kafka: UPTAKE_TEST_KAFKA_JARS is not set', () => {
      expect(kafka_jars).toBeUndefined();
    });
  });
} else {
  const jars = kafka_jars;
  describe(suite, () => securedBroker(jars));
}
