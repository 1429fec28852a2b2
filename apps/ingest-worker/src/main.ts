import { runApp } from '#runtime/run-app.js';
import { startIngestWorker } from './ingest-worker.js';

await runApp('ingest-worker', process.env, startIngestWorker);
