/** How a Kafka cluster is reached and what its topics are created with. */
export interface KafkaSettings {
  /** `host:port` of the brokers to begin with. */
  readonly brokers: readonly string[];
  readonly clientId: string;
  /** `ca`: trusted certificates as PEM; without it those that Node trusts. */
  readonly tls?: { readonly ca?: string };
  readonly sasl?: {
    readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512';
    readonly username: string;
    readonly password: string;
  };
  readonly compression: 'gzip' | 'none';
  /** Copies of every partition; -1 takes the cluster's default. */
  readonly replicationFactor: number;
  /** Copies that must have a record before it is acknowledged. */
  readonly minInsyncReplicas: number;
  /** Stands before every topic and group, so that several installations share one cluster. */
  readonly topicPrefix: string;
}

export const default_kafka_settings: Omit<KafkaSettings, 'brokers'> = {
  clientId: 'uptake',
  compression: 'gzip',
  replicationFactor: -1,
  minInsyncReplicas: 1,
  topicPrefix: '',
};
