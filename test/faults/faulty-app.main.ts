import { startApi } from '../../apps/api/src/api.js';
import { startIngestWorker } from '../../apps/ingest-worker/src/ingest-worker.js';
import { startProjector } from '../../apps/projector/src/projector.js';
import { armFaultPoint, fault_points, type FaultPoint } from '#runtime/fault-points.js';
import { runApp, type StartApp } from '#runtime/run-app.js';

/**
 * One app with one fault point armed: it kills itself with -9 when it gets there. The only entry
 * point that arms faults; no image contains it. `APP` names the app, `FAULT` the point.
 */
const apps: Readonly<Record<string, StartApp>> = {
  api: startApi,
  'ingest-worker': startIngestWorker,
  projector: startProjector,
};

const fault = fault_points.find((point) => point === process.env['FAULT']);
if (fault !== undefined) arm(fault);

const name = process.env['APP'] ?? '';
const start = apps[name];
if (start === undefined)
  throw new Error(`APP is "${name}"; one of ${Object.keys(apps).join(', ')}`);
await runApp(name, process.env, async (config, logger, shutdown) => {
  const running = await start(config, logger, shutdown);
  process.send?.({ baseUrl: running.baseUrl ?? null });
  return running;
});

function arm(point: FaultPoint): void {
  armFaultPoint(point, () => {
    process.kill(process.pid, 'SIGKILL');
    // The signal is on its way; nothing after this point may run.
    return new Promise(() => undefined);
  });
}
