import { startPostgres } from '../postgres/embedded-postgres.js';

// A parent to be killed: starts the server, prints its process id, and then only waits.
const engine = await startPostgres({ directory: process.argv[2]!, log: () => undefined });
process.stdout.write(`${engine.pid}\n`);
