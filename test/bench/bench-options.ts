import { parseArgs } from 'node:util';
import { developers_max } from './load/event-template.js';

export const row_names = [
  'batch',
  'single',
  'latency',
  'validation',
  'sustained',
  'claims',
  'reads',
  'publication',
  'logs',
] as const;
export type RowName = (typeof row_names)[number];

export const log_names = ['embedded', 'kafka'] as const;
export type LogName = (typeof log_names)[number];

/** What the command line asks for. */
export interface BenchOptions {
  readonly only: readonly RowName[];
  readonly json: boolean;
  readonly windows: number;
  readonly windowSeconds: number;
  readonly sustainedSeconds: number;
  /** Keys in the ledger that is compared with an empty one. */
  readonly claimKeys: number;
  /** Developers that the events are spread over. */
  readonly developers: number;
  /** Events that epochs are published from. */
  readonly events: number;
  /** Epochs of consecutive days that are published. */
  readonly epochs: number;
  /** Folder for CPU profiles of the apps; null for none. */
  readonly profileFolder: string | null;
  readonly log: LogName;
}

export const usage = `npm run bench -- [options]
  --only a,b        rows to measure: ${row_names.join(', ')}
  --windows 7       windows of each contestant
  --window 1.5      seconds of one window of the service; baselines get half of it
  --sustain 10      seconds of sustained load
  --claims 200000   existing keys in the larger ledger
  --developers N    spread the events over so many developers, at most ${developers_max}
  --events 20000000 events that epochs are published from
  --epochs 3        epochs that are published, a day after the other
  --cpu-prof DIR    write CPU profiles of the apps below DIR
  --log embedded    the event log under test, or kafka: a real broker (Java and Maven); the row
                    \`logs\` compares the two, and is measured with kafka only
  --json            print the rows as JSON`;

/** The command line was not understood; the message says what is wrong. */
export class InvalidOptionError extends Error {}

/** @throws InvalidOptionError */
export function readOptions(words: readonly string[]): BenchOptions {
  const { values } = parsed(words);
  const log = logName(values.log);
  return {
    only: rowsOf(values.only, log),
    log,
    json: values.json,
    windows: positive('--windows', values.windows),
    windowSeconds: positive('--window', values.window),
    sustainedSeconds: positive('--sustain', values.sustain),
    claimKeys: positive('--claims', values.claims),
    developers: developersOf(values.developers),
    events: positive('--events', values.events),
    epochs: positive('--epochs', values.epochs),
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
        window: { type: 'string', default: '1.5' },
        sustain: { type: 'string', default: '10' },
        claims: { type: 'string', default: '200000' },
        developers: { type: 'string', default: String(developers_max) },
        events: { type: 'string', default: '20000000' },
        epochs: { type: 'string', default: '3' },
        'cpu-prof': { type: 'string' },
        log: { type: 'string', default: 'embedded' },
      },
    });
  } catch (error) {
    throw new InvalidOptionError((error as Error).message);
  }
}

function logName(word: string): LogName {
  const name = log_names.find((known) => known === word);
  if (name !== undefined) return name;
  throw new InvalidOptionError(`--log ${word}: the logs are ${log_names.join(', ')}.`);
}

/** By default all rows that tell something of this log. */
function rowsOf(words: string | undefined, log: LogName): readonly RowName[] {
  const named = words?.split(',').map(rowName);
  if (log === 'kafka') return named ?? row_names.filter((name) => name !== 'publication');
  if (named?.includes('logs')) {
    throw new InvalidOptionError('--only logs: it compares with Kafka, so say --log kafka, too.');
  }
  return named ?? row_names.filter((name) => name !== 'logs');
}

function rowName(word: string): RowName {
  const name = row_names.find((known) => known === word);
  if (name === undefined) {
    throw new InvalidOptionError(`--only ${word}: the rows are ${row_names.join(', ')}.`);
  }
  return name;
}

function developersOf(word: string): number {
  const value = positive('--developers', word);
  if (value <= developers_max) return value;
  throw new InvalidOptionError(`--developers ${word}: at most ${developers_max}.`);
}

function positive(option: string, word: string): number {
  const value = Number(word);
  if (!(value > 0)) throw new InvalidOptionError(`${option} ${word}: must be more than 0.`);
  return value;
}
