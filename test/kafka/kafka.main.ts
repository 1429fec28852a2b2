import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Broker } from './broker.js';
import { kafkaVersion } from './broker-release.js';

const write = (text: string): void => void process.stdout.write(text);
const port_max = 65_535;

function readPort(given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  const port = Number(given);
  if (Number.isInteger(port) && port >= 1 && port <= port_max) return port;
  throw new Error(`--port is "${given}"; it must be a whole number from 1 to ${port_max}.`);
}

/** Runs a broker in the foreground until it is told to stop, or ends by itself. */
async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { 'data-dir': { type: 'string' }, port: { type: 'string' } },
  });
  const { DATA_DIR, KAFKA_VERSION } = process.env;
  const directory = join(resolve(values['data-dir'] ?? DATA_DIR ?? '.data'), 'kafka');
  const version = kafkaVersion(KAFKA_VERSION);
  const port = readPort(values.port);
  write(`Kafka ${version} in ${directory}: getting ready\n`);
  const broker = await Broker.prepare({ directory, version, port });
  const told = new Promise<string>((resolveTold) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, resolveTold);
  });
  await broker.start();
  write(`It answers. Use it with\n\n  KAFKA_BROKERS=${broker.address} npm start\n\n`);
  const why = await Promise.race([told, broker.whenEnded()]);
  const asked = broker.isRunning();
  await broker.stop();
  write(asked ? 'Kafka has stopped.\n' : `Kafka ${why}; see ${join(directory, 'broker.log')}.\n`);
  return asked ? 0 : 1;
}

process.exitCode = await main().catch((error: unknown) => {
  write(`${error instanceof Error ? error.message : String(error)}\n`);
  return 1;
});
