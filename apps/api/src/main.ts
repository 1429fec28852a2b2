import { runApp } from '#runtime/run-app.js';
import { startApi } from './api.js';

await runApp('api', process.env, startApi);
