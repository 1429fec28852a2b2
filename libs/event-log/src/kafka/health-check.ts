import type { Logger } from '#runtime/logger.js';
import type { LogHealth } from '../event-log.js';
import type { KafkaConnection } from './kafka-connection.js';
import type { KafkaLogLimits } from './kafka-log-limits.js';

/** Whether the cluster answers; asked at most once in a while, however often it is looked at. */
export class HealthCheck {
  private last: { readonly at: number; readonly health: Promise<LogHealth> } | null = null;

  constructor(
    private readonly connection: KafkaConnection,
    private readonly limits: KafkaLogLimits,
    private readonly logger: Logger | undefined,
  ) {}

  health(): Promise<LogHealth> {
    const { last } = this;
    if (last !== null && Date.now() - last.at < this.limits.healthKeptMs) return last.health;
    const health = this.look();
    this.last = { at: Date.now(), health };
    return health;
  }

  /** @throws when no broker answers in time. */
  async ask(): Promise<void> {
    await this.connection.use(
      (cluster) =>
        Promise.any(
          cluster.getNodeIds().map(async (nodeId) => {
            const broker = await cluster.findBroker({ nodeId });
            await broker.apiVersions();
          }),
        ),
      this.limits.healthMs,
    );
  }

  private async look(): Promise<LogHealth> {
    try {
      await this.ask();
      return { up: true, detail: 'Kafka answers' };
    } catch (error) {
      // The detail is public; what the driver says names host and port.
      this.logger?.warn({ err: error }, 'the event log does not answer');
      return { up: false, detail: 'Kafka does not answer' };
    }
  }
}
