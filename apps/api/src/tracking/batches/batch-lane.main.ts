import { parentPort, workerData } from 'node:worker_threads';
import type { UptakeConfig } from '#runtime/config.js';
import { createLogger } from '#runtime/logger.js';
import { metricFigures } from '#runtime/metrics.js';
import { giveWay } from '#runtime/priority.js';
import { Shutdown } from '#runtime/shutdown.js';
import { AnswerDeadline } from '../answer-deadline.js';
import { unavailable } from '../claim-group-commit.js';
import { openTracking } from '../open-tracking.js';
import { WorkGate } from './work-gate.js';
import { toSentProblem, type FromLane, type ToLane } from './lane-messages.js';

/**
 * A lane: a thread that takes batches as an API process of its own would, over its own
 * connections. Claims are what keeps lanes, the server and other processes from contradicting
 * each other.
 */
const port = parentPort;
if (port === null) throw new Error('A lane runs as a thread of the API.');
giveWay();
const config = workerData as UptakeConfig;
/**
 * Bytes of batches at work: two groups in the stores, and as much on its way to them. What is read
 * earlier would only wait on the heap, and be moved there again and again.
 */
const working_bytes_max = 1.25 * 1024 * 1024;
const gate = new WorkGate(working_bytes_max);
/** From the moment a batch came, the wait at the gate included. */
const deadline = new AnswerDeadline<AbortController>(config.appendDeadlineMs, (batch) =>
  batch.abort(unavailable(1)),
);
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
  const batch = new AbortController();
  deadline.add(batch);
  try {
    const answer = await inTime(batch.signal, () =>
      gate.pass(request.body.byteLength, batch.signal, () => batches.track(request)),
    );
    send({ kind: 'answer', id, answer }, [answer.body.buffer]);
  } catch (error) {
    const problem = toSentProblem(error);
    if (problem.code === 'internal_error') {
      const { requestId, traceparent } = request;
      logger.error({ err: error, requestId, traceparent }, 'a batch failed');
    }
    send({ kind: 'problem', id, problem });
  } finally {
    deadline.settle(batch);
  }
}

/** What the work answers, or the reason of the signal if that comes first. */
function inTime<T>(late: AbortSignal, work: () => Promise<T>): Promise<T> {
  const given = new Promise<never>((_resolve, reject) => {
    late.addEventListener('abort', () => reject(late.reason as Error), { once: true });
  });
  return Promise.race([work(), given]);
}
