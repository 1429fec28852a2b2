import { parentPort, workerData } from 'node:worker_threads';
import type { UptakeConfig } from '#runtime/config.js';
import { createLogger } from '#runtime/logger.js';
import { metricFigures } from '#runtime/metrics.js';
import { Shutdown } from '#runtime/shutdown.js';
import { openTracking } from '../open-tracking.js';
import { toSentProblem, type FromLane, type ToLane } from './lane-messages.js';

/**
 * A lane: a thread that takes batches as an API process of its own would, over its own
 * connections. Claims are what keeps lanes, the server and other processes from contradicting
 * each other.
 */
const port = parentPort;
if (port === null) throw new Error('A lane runs as a thread of the API.');
const config = workerData as UptakeConfig;
const logger = createLogger('api-lane', config.logLevel);
const shutdown = new Shutdown(logger);
const { batches } = await openTracking(config, logger, shutdown, 'api-lane');

const send = (message: FromLane, transfer: readonly ArrayBuffer[] = []): void =>
  port.postMessage(message, transfer);

port.on('message', (message: ToLane) => {
  switch (message.kind) {
    case 'stop':
      void shutdown.stop().then(() => {
        logger.flush();
        port.close();
      });
      return;
    case 'track':
      void track(message);
      return;
    case 'metrics':
      void metricFigures().then((figures) => send({ kind: 'metrics', figures }));
      return;
  }
});
send({ kind: 'ready' });

async function track({ id, request }: Extract<ToLane, { kind: 'track' }>): Promise<void> {
  try {
    const answer = await batches.track(request);
    send({ kind: 'answer', id, answer }, [answer.body.buffer]);
  } catch (error) {
    const problem = toSentProblem(error);
    if (problem.code === 'internal_error') logger.error({ err: error }, 'a batch failed');
    send({ kind: 'problem', id, problem });
  }
}
