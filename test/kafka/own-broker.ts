import { mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { startBroker, type Broker } from './broker.js';
import type { BrokerSecurity } from './broker-security.js';

/** Where `npm run test:kafka` has put Kafka; a run without it tries no broker. */
export const kafka_jars = process.env['UPTAKE_TEST_KAFKA_JARS'];

/** A broker of a spec's own, which it may kill, and what removes it. */
export interface OwnBroker {
  readonly broker: Broker;
  remove(): Promise<void>;
}

export async function startOwnBroker(jars: string, security?: BrokerSecurity): Promise<OwnBroker> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'uptake-broker-')));
  await symlink(jars, join(directory, basename(jars)));
  const version = basename(jars).replace('jars-', '');
  const broker = await startBroker({ directory, version, security });
  return {
    broker,
    remove: async () => {
      await broker.stop();
      await rm(directory, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Says aloud that a suite was not tried: nothing is left out in silence. */
export function notTried(suite: string): string {
  const sentence = `${suite}: not tried here (npm run test:kafka tries it)`;
  process.stdout.write(`${sentence}\n`);
  return sentence;
}
