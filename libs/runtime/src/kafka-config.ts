import {
  IsBoolean,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Matches,
  Max,
  Min,
  NotEquals,
} from 'class-validator';
import { HttpConfig } from './http-config.js';
import { GoesWith, NotAbove } from './setting-relations.js';
import { FromEnv } from './setting.js';

/** How the Kafka cluster of `KAFKA_BROKERS` is reached: part of `UptakeConfig`. */
export abstract class KafkaConfig extends HttpConfig {
  @FromEnv({
    env: 'KAFKA_CLIENT_ID',
    section: 'Kafka',
    description: 'Name of this installation in the logs, metrics and quotas of the brokers.',
  })
  @Matches(/^[A-Za-z0-9._-]{1,100}$/, { message: 'must be letters, digits, ".", "_" or "-"' })
  kafkaClientId: string = 'uptake';

  @FromEnv({
    env: 'KAFKA_TOPIC_PREFIX',
    section: 'Kafka',
    description: 'Before every topic and group, so that several installations share a cluster.',
  })
  @IsOptional()
  @Matches(/^[A-Za-z0-9._-]{1,100}$/, { message: 'must be letters, digits, ".", "_" or "-"' })
  kafkaTopicPrefix?: string;

  @FromEnv({
    env: 'KAFKA_TLS',
    section: 'Kafka',
    description: 'Whether the connections are encrypted.',
  })
  @IsBoolean()
  kafkaTls: boolean = false;

  @FromEnv({
    env: 'KAFKA_TLS_CA',
    section: 'Kafka',
    description: 'PEM file of the certificates to trust; empty trusts those that Node trusts.',
  })
  @IsOptional()
  @IsString()
  @GoesWith('kafkaTls', 'KAFKA_TLS=true')
  kafkaTlsCa?: string;

  @FromEnv({
    env: 'KAFKA_SASL_MECHANISM',
    section: 'Kafka',
    description: 'How the client proves who it is; empty proves nothing.',
  })
  @IsOptional()
  @IsIn(['plain', 'scram-sha-256', 'scram-sha-512'])
  @GoesWith('kafkaSaslUsername', 'KAFKA_SASL_USERNAME')
  @GoesWith('kafkaSaslPassword', 'KAFKA_SASL_PASSWORD')
  kafkaSaslMechanism?: 'plain' | 'scram-sha-256' | 'scram-sha-512';

  @FromEnv({ env: 'KAFKA_SASL_USERNAME', section: 'Kafka', description: 'User name for SASL.' })
  @IsOptional()
  @IsString()
  @GoesWith('kafkaSaslMechanism', 'KAFKA_SASL_MECHANISM')
  kafkaSaslUsername?: string;

  @FromEnv({
    env: 'KAFKA_SASL_PASSWORD',
    section: 'Kafka',
    description: 'Password for SASL.',
    secret: true,
  })
  @IsOptional()
  @IsString()
  @GoesWith('kafkaSaslMechanism', 'KAFKA_SASL_MECHANISM')
  kafkaSaslPassword?: string;

  @FromEnv({
    env: 'KAFKA_COMPRESSION',
    section: 'Kafka',
    description: 'How records are compressed before they are sent.',
  })
  @IsIn(['gzip', 'none'])
  kafkaCompression: 'gzip' | 'none' = 'gzip';

  @FromEnv({
    env: 'KAFKA_REPLICATION_FACTOR',
    section: 'Kafka',
    description: 'Copies of each partition of a new topic; -1 takes the default of the cluster.',
  })
  @IsInt()
  @Min(-1)
  @Max(9)
  @NotEquals(0, { message: 'must be -1 or a number of copies' })
  kafkaReplicationFactor: number = -1;

  @FromEnv({
    env: 'KAFKA_MIN_INSYNC_REPLICAS',
    section: 'Kafka',
    description: 'Copies that must hold a record before it is acknowledged.',
  })
  @IsInt()
  @Min(1)
  @Max(9)
  @NotAbove('kafkaReplicationFactor', 'KAFKA_REPLICATION_FACTOR')
  kafkaMinInsyncReplicas: number = 1;

  @FromEnv({
    env: 'KAFKA_SESSION_TIMEOUT_MS',
    section: 'Kafka',
    description:
      'Silence after which the group gives the partitions of a worker or projector to others.',
  })
  @IsInt()
  @Min(6000)
  @Max(300_000)
  kafkaSessionTimeoutMs: number = 30_000;
}
