import { backOffMs, pause } from '../driver/pause.js';
import { isPassing, toPortError } from './faults.js';
import type { KafkaConnection } from './kafka-connection.js';
import type { KafkaLogLimits } from './kafka-log-limits.js';
import type { WireCluster } from './wire.js';

/** Asks the cluster what may be asked twice, and repeats the question while it gets no answer. */
export class Questions {
  constructor(
    private readonly connection: KafkaConnection,
    private readonly limits: KafkaLogLimits,
  ) {}

  /** @throws LogUnavailableError after `questionMs`; the port's own errors at once. */
  async ask<T>(question: (cluster: WireCluster) => Promise<T>): Promise<T> {
    const { answerMs, questionMs, retryMsMin, retryMsMax } = this.limits;
    const deadline = Date.now() + questionMs;
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await this.connection.use(question, Math.min(answerMs, deadline - Date.now()));
      } catch (error) {
        const wait = backOffMs(attempt, retryMsMin, retryMsMax);
        if (!isPassing(error) || Date.now() + wait >= deadline) throw toPortError(error);
        await pause(wait);
      }
    }
  }
}
