import { describe, expect, it } from '@jest/globals';
import { InvalidConfigError, loadConfig } from './load-config.js';

const identity = { IDENTITY_PEPPER: 'x'.repeat(32) };

function problemsOf(env: Readonly<Record<string, string>>): readonly string[] {
  try {
    loadConfig({ ...identity, ...env });
    return [];
  } catch (error) {
    if (error instanceof InvalidConfigError) return error.problems;
    throw error;
  }
}

describe('the settings of Kafka', () => {
  it('are complete without any, and with all of them', () => {
    expect(problemsOf({})).toEqual([]);
    expect(
      problemsOf({
        KAFKA_BROKERS: 'one:9092,two:9092',
        KAFKA_TLS: 'true',
        KAFKA_TLS_CA: 'ca.pem',
        KAFKA_SASL_MECHANISM: 'scram-sha-512',
        KAFKA_SASL_USERNAME: 'uptake',
        KAFKA_SASL_PASSWORD: 'secret',
        KAFKA_REPLICATION_FACTOR: '3',
        KAFKA_MIN_INSYNC_REPLICAS: '2',
        KAFKA_TOPIC_PREFIX: 'staging.',
      }),
    ).toEqual([]);
  });

  it('refuse a certificate without encryption', () => {
    expect(problemsOf({ KAFKA_TLS_CA: 'ca.pem' })).toEqual([
      'KAFKA_TLS_CA is "ca.pem": needs KAFKA_TLS=true',
    ]);
  });

  it('refuse half of the credentials, and never show the password', () => {
    expect(problemsOf({ KAFKA_SASL_MECHANISM: 'plain', KAFKA_SASL_USERNAME: 'u' })).toEqual([
      'KAFKA_SASL_MECHANISM is "plain": needs KAFKA_SASL_PASSWORD',
    ]);
    expect(problemsOf({ KAFKA_SASL_PASSWORD: 'hunter2' })).toEqual([
      'KAFKA_SASL_PASSWORD is set: needs KAFKA_SASL_MECHANISM',
    ]);
    expect(problemsOf({ KAFKA_SASL_MECHANISM: 'kerberos' }).join()).toContain(
      'must be one of the following values: plain, scram-sha-256, scram-sha-512',
    );
  });

  it('refuse to wait for more copies than there are', () => {
    const copies = { KAFKA_REPLICATION_FACTOR: '2', KAFKA_MIN_INSYNC_REPLICAS: '3' };
    expect(problemsOf(copies)).toEqual([
      'KAFKA_MIN_INSYNC_REPLICAS is "3": must not be above KAFKA_REPLICATION_FACTOR',
    ]);
    expect(problemsOf({ KAFKA_MIN_INSYNC_REPLICAS: '2' })).toEqual([]);
    expect(problemsOf({ KAFKA_REPLICATION_FACTOR: '0' }).join()).toContain(
      'must be -1 or a number of copies',
    );
  });
});
