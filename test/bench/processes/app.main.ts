import { startApi } from '../../../apps/api/src/api.js';
import { startIngestWorker } from '../../../apps/ingest-worker/src/ingest-worker.js';
import { startProjector } from '../../../apps/projector/src/projector.js';
import { runApp, type StartApp } from '#runtime/run-app.js';
import { tellParent } from '../child-messages.js';

/** One app as it runs in production, in a process of its own; `APP` names it. */
const apps: Readonly<Record<string, StartApp>> = {
  api: startApi,
  'ingest-worker': startIngestWorker,
  projector: startProjector,
};

const name = process.env['APP'] ?? '';
const start = apps[name];
if (start === undefined) {
  throw new Error(`APP is "${name}"; one of ${Object.keys(apps).join(', ')}`);
}
await runApp(name, process.env, async (config, logger, shutdown) => {
  const running = await start(config, logger, shutdown);
  tellParent({ baseUrl: running.baseUrl ?? null });
  return running;
});
