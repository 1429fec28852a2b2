import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { usageAcceptedTopic, usageReceivedTopic } from '#contracts/topics.js';
import { startSpecService, type SpecService } from '../support/service.js';
import { newEvent, trackEvent } from '../support/tracking-events.js';
import { classPath } from './broker-files.js';

const run = promisify(execFile);
const consumer = 'org.apache.kafka.tools.consumer.ConsoleConsumer';
const wait_ms = '20000';

interface SeenRecord {
  readonly headers: Readonly<Record<string, string>>;
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/** The first record of a topic as Kafka's own console consumer prints it. */
async function firstRecord(service: SpecService, topic: string): Promise<SeenRecord> {
  const { kafkaBrokers, kafkaTopicPrefix } = service.config;
  const what = ['--topic', `${kafkaTopicPrefix}${topic}`, '--from-beginning'];
  const { stdout } = await run('java', [
    ...classPath(process.env['UPTAKE_TEST_KAFKA_JARS']!),
    consumer,
    ...['--bootstrap-server', kafkaBrokers!, ...what],
    ...['--max-messages', '1', '--timeout-ms', wait_ms],
    ...['--property', 'print.headers=true', '--property', 'print.key=true'],
  ]);
  const line = stdout.split('\n').find((text) => text.includes('ce_id'))!;
  const [headers, key, value] = line.split('\t') as [string, string, string];
  return {
    headers: Object.fromEntries(
      headers.split(',').map((pair) => {
        const at = pair.indexOf(':');
        return [pair.slice(0, at), pair.slice(at + 1)];
      }),
    ),
    key,
    value: JSON.parse(value) as Record<string, unknown>,
  };
}

let service: SpecService;

beforeAll(async () => {
  service = await startSpecService();
  await service.startClerk();
  const sent = await trackEvent(service, newEvent());
  expect(sent.status).toBe(200);
});
afterAll(() => service.stop());

it.each([
  { topic: usageReceivedTopic.name, type: 'usage.received.v1' },
  { topic: usageAcceptedTopic.name, type: 'usage.accepted.v1' },
])(
  "Kafka's own console consumer shows key, CloudEvents headers and JSON value of $topic",
  async ({ topic, type }) => {
    const { headers, key, value } = await firstRecord(service, topic);
    expect(headers).toMatchObject({ ce_id: key, ce_type: type, ce_specversion: '1.0' });
    expect(Date.parse(headers['ce_time']!)).not.toBeNaN();
    expect(value).toMatchObject({ eventId: key });
  },
);
