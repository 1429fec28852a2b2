import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { UptakeConfig } from '#runtime/config.js';
import type { Logger } from '#runtime/logger.js';
import { EmbeddedEventLog } from './embedded/embedded-event-log.js';
import type { EventLog } from './event-log.js';
import { KafkaEventLog } from './kafka/kafka-event-log.js';
import type { KafkaSettings } from './kafka/kafka-settings.js';

/**
 * Opens the event log that the configuration asks for; the caller closes it.
 * @throws Error when the configuration names no log, or one that cannot be reached.
 */
export async function openEventLog(config: UptakeConfig, logger: Logger): Promise<EventLog> {
  const limits = { appendDeadlineMs: config.appendDeadlineMs };
  const { databaseUrl, kafkaBrokers, kafkaSessionTimeoutMs: sessionTimeoutMs } = config;
  if (kafkaBrokers === undefined && databaseUrl === undefined) {
    throw new Error('DATABASE_URL is not set: the embedded event log needs a PostgreSQL address.');
  }
  const log =
    kafkaBrokers !== undefined
      ? new KafkaEventLog({
          settings: await toSettings(config, kafkaBrokers),
          logger,
          limits: { ...limits, sessionTimeoutMs },
        })
      : new EmbeddedEventLog({ databaseUrl: databaseUrl!, logger, limits });
  await log.open();
  return log;
}

async function toSettings(config: UptakeConfig, kafkaBrokers: string): Promise<KafkaSettings> {
  const { kafkaSaslMechanism: mechanism, kafkaTls, kafkaTlsCa } = config;
  const username = config.kafkaSaslUsername ?? '';
  const password = config.kafkaSaslPassword ?? '';
  return {
    brokers: kafkaBrokers.split(','),
    clientId: config.kafkaClientId,
    ...(kafkaTls && {
      tls: kafkaTlsCa === undefined ? {} : { ca: await readCertificate(kafkaTlsCa) },
    }),
    ...(mechanism !== undefined && { sasl: { mechanism, username, password } }),
    compression: config.kafkaCompression,
    replicationFactor: config.kafkaReplicationFactor,
    minInsyncReplicas: config.kafkaMinInsyncReplicas,
    topicPrefix: config.kafkaTopicPrefix ?? '',
  };
}

/** @throws Error naming the variable when there is no certificate at `path`. */
async function readCertificate(path: string): Promise<string> {
  const pem = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new Error(`KAFKA_TLS_CA is "${path}": the file cannot be read`, { cause: error });
  });
  try {
    new X509Certificate(pem);
  } catch (error) {
    throw new Error(`KAFKA_TLS_CA is "${path}": the file holds no PEM certificate`, {
      cause: error,
    });
  }
  return pem;
}
