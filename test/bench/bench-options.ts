import { parseArgs } from 'node:util';

export const row_names = [
  'batch',
  'single',
  'latency',
  'validation',
  'sustained',
  'claims',
  'reads',
] as const;
export type RowName = (typeof row_names)[number];

/** What the command line asks for. */
export interface BenchOptions {
  readonly only: readonly RowName[];
  readonly json: boolean;
  readonly windows: number;
  readonly windowSeconds: number;
  readonly sustainedSeconds: number;
  /** Keys in the ledger that is compared with an empty one. */
  readonly claimKeys: number;
  /** Folder for a CPU profile of the API; null for none. */
  readonly profileFolder: string | null;
}

export const usage = `npm run bench -- [options]
  --only a,b        rows to measure: ${row_names.join(', ')}
  --windows 7       windows of each contestant
  --window 2        seconds of one window
  --sustain 10      seconds of sustained load
  --claims 200000   existing keys in the larger ledger
  --cpu-prof DIR    write a CPU profile of the API into DIR
  --log embedded    the event log under test
  --json            print the rows as JSON`;

/** The command line was not understood; the message says what is wrong. */
export class InvalidOptionError extends Error {}

/** @throws InvalidOptionError */
export function readOptions(words: readonly string[]): BenchOptions {
  const { values } = parsed(words);
  if (values.log !== 'embedded') {
    throw new InvalidOptionError(
      values.log === 'kafka'
        ? '--log kafka: the Kafka driver is not part of this version; only embedded is measured.'
        : `--log ${values.log}: the log is "embedded".`,
    );
  }
  const only = values.only === undefined ? row_names : values.only.split(',').map(rowName);
  return {
    only,
    json: values.json,
    windows: positive('--windows', values.windows),
    windowSeconds: positive('--window', values.window),
    sustainedSeconds: positive('--sustain', values.sustain),
    claimKeys: positive('--claims', values.claims),
    profileFolder: values['cpu-prof'] ?? null,
  };
}

function parsed(words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      options: {
        only: { type: 'string' },
        json: { type: 'boolean', default: false },
        windows: { type: 'string', default: '7' },
        window: { type: 'string', default: '2' },
        sustain: { type: 'string', default: '10' },
        claims: { type: 'string', default: '200000' },
        'cpu-prof': { type: 'string' },
        log: { type: 'string', default: 'embedded' },
      },
    });
  } catch (error) {
    throw new InvalidOptionError((error as Error).message);
  }
}

function rowName(word: string): RowName {
  const name = row_names.find((known) => known === word);
  if (name === undefined) {
    throw new InvalidOptionError(`--only ${word}: the rows are ${row_names.join(', ')}.`);
  }
  return name;
}

function positive(option: string, word: string): number {
  const value = Number(word);
  if (!(value > 0)) throw new InvalidOptionError(`${option} ${word}: must be more than 0.`);
  return value;
}
