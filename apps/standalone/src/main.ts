import { runStandalone } from './standalone.js';

await runStandalone(process.env);
