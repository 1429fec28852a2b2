import { runApp } from '#runtime/run-app.js';
import { startProjector } from './projector.js';

await runApp('projector', process.env, startProjector);
