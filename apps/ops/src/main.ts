import { runOps } from './ops.js';

process.exitCode = await runOps(process.argv.slice(2), process.env);
