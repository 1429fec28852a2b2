import { join } from 'node:path';
import { startPostgres } from '#embedded-engines/postgres/embedded-postgres.js';
import { startBroker } from '../kafka/broker.js';

/** The server that holds the log of one spec alone, so that the spec may kill it. */
export interface LogServer {
  readonly databaseUrl: string;
  /** What the apps are told of it beside the address of their database. */
  readonly settings: Readonly<Record<string, string>>;
  /** Kills it with -9 and waits until it is gone. */
  kill(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** On Kafka a broker; for the embedded log a Postgres, which is the database of the apps too. */
export function startLogServer(folder: string, databaseUrl: string): Promise<LogServer> {
  const onKafka = process.env['UPTAKE_TEST_KAFKA_BROKERS'] !== undefined;
  return onKafka ? ownBroker(folder, databaseUrl) : ownPostgres(folder);
}

async function ownBroker(folder: string, databaseUrl: string): Promise<LogServer> {
  const broker = await startBroker({ directory: join(folder, 'kafka') });
  return {
    databaseUrl,
    settings: { KAFKA_BROKERS: broker.address },
    kill: () => broker.kill(),
    start: () => broker.start(),
    stop: () => broker.stop(),
  };
}

async function ownPostgres(folder: string): Promise<LogServer> {
  const options = { directory: join(folder, 'postgres'), log: () => undefined };
  let engine = await startPostgres(options);
  const { port, url } = engine;
  return {
    databaseUrl: url,
    settings: {},
    kill: async () => {
      process.kill(engine.pid, 'SIGKILL');
      await engine.ended;
    },
    start: async () => {
      engine = await startPostgres({ ...options, port });
    },
    stop: () => engine.stop(),
  };
}
