/** The release that compose runs, too; `KAFKA_VERSION` names another. */
export const newest_kafka = '4.3.1';

const version_form = /^\d+\.\d+\.\d+$/;
const log4j_version = '2.25.5';
const reload4j_version = '1.7.36';
const scala_version = '2.13';

/** @throws Error when `version` does not look like one of Kafka's releases. */
export function kafkaVersion(version: string = newest_kafka): string {
  if (version_form.test(version)) return version;
  throw new Error(`KAFKA_VERSION is "${version}"; it must be a release such as ${newest_kafka}.`);
}

/** A Maven project whose dependencies are the broker, its tools, and what it logs with. */
export function brokerProject(version: string): string {
  const dependencies = [
    ['org.apache.kafka', `kafka_${scala_version}`, version],
    ['org.apache.kafka', 'kafka-tools', version],
    ...loggingOf(version),
  ];
  const listed = dependencies.map(
    ([group, artifact, of]) =>
      `    <dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId>` +
      `<version>${of}</version></dependency>`,
  );
  return [
    '<project xmlns="http://maven.apache.org/POM/4.0.0">',
    '  <modelVersion>4.0.0</modelVersion>',
    '  <groupId>uptake</groupId><artifactId>kafka-broker</artifactId><version>1</version>',
    '  <dependencies>',
    ...listed,
    '  </dependencies>',
    '</project>',
    '',
  ].join('\n');
}

/** Kafka logs through SLF4J: 3.x to the heirs of log4j 1, 4.x to log4j 2. */
function loggingOf(version: string): readonly (readonly [string, string, string])[] {
  if (version.startsWith('3.')) return [['org.slf4j', 'slf4j-reload4j', reload4j_version]];
  return [
    ['org.apache.logging.log4j', 'log4j-slf4j-impl', log4j_version],
    ['org.apache.logging.log4j', 'log4j-core', log4j_version],
  ];
}

export interface BrokerPlace {
  readonly version: string;
  readonly port: number;
  readonly controllerPort: number;
  /** Where the broker keeps its records. */
  readonly records: string;
}

/** The listener that clients use; it is named as its protocol. */
export interface BrokerListener {
  readonly protocol: 'PLAINTEXT' | 'SASL_SSL';
  /** What it demands of them. */
  readonly settings: Readonly<Record<string, string | number>>;
}

/**
 * `server.properties` of one broker that is its own controller, on loopback only; the settings of
 * `docker-compose.yml`, but for a session that ends soon: after a kill -9 a broker is not let in
 * again before the session of its former self has run out.
 */
export function brokerProperties(
  { version, port, controllerPort, records }: BrokerPlace,
  { protocol, settings: demanded }: BrokerListener,
): string {
  const settings: Readonly<Record<string, string | number>> = {
    'process.roles': 'broker,controller',
    'node.id': 1,
    'controller.quorum.voters': `1@127.0.0.1:${controllerPort}`,
    'controller.listener.names': 'CONTROLLER',
    listeners: `${protocol}://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort}`,
    'advertised.listeners': `${protocol}://127.0.0.1:${port}`,
    'listener.security.protocol.map': `${protocol}:${protocol},CONTROLLER:PLAINTEXT`,
    ...demanded,
    'log.dirs': records,
    'auto.create.topics.enable': 'false',
    'log.message.timestamp.type': 'LogAppendTime',
    'default.replication.factor': 1,
    'min.insync.replicas': 1,
    'offsets.topic.replication.factor': 1,
    'offsets.topic.num.partitions': 5,
    'transaction.state.log.replication.factor': 1,
    'transaction.state.log.min.isr': 1,
    'group.initial.rebalance.delay.ms': 0,
    // The contract lets members hang for longer than their session lasts.
    'group.min.session.timeout.ms': 500,
    'log.cleaner.dedupe.buffer.size': 16_777_216,
    'broker.session.timeout.ms': 3_000,
    'broker.heartbeat.interval.ms': 500,
  };
  const newer = {
    'share.coordinator.state.topic.replication.factor': 1,
    'share.coordinator.state.topic.min.isr': 1,
  };
  const all = version.startsWith('3.') ? settings : { ...settings, ...newer };
  return Object.entries(all)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}
