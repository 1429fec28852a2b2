import { parseArgs } from 'node:util';
import { logs, type LogName } from './installation.js';
import { victimsOn, type Victim } from './victims.js';

const rounds_max = 10_000;

export interface ChaosOptions {
  readonly rounds: number;
  readonly seed: number;
  readonly log: LogName;
  readonly victims: readonly Victim[];
  /** Rounds between two checks of everything that is stored; the last round is always checked. */
  readonly checkEvery: number;
}

/** @throws Error that says what an option may be. */
export function readChaosOptions(): ChaosOptions {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string' },
      seed: { type: 'string' },
      victims: { type: 'string' },
      log: { type: 'string' },
      'check-every': { type: 'string' },
    },
  });
  type Figure = 'rounds' | 'seed' | 'check-every';
  const figure = (name: Figure, otherwise: number, most: number): number => {
    const value = Number(values[name] ?? otherwise);
    if (Number.isInteger(value) && value >= 1 && value <= most) return value;
    throw new Error(`--${name} is "${values[name]}"; it must be a whole number from 1 to ${most}.`);
  };
  const log = logs.find((known) => known === (values.log ?? 'embedded'));
  if (log === undefined) throw new Error(`--log is "${values.log}"; it is ${logs.join(' or ')}.`);
  const known = victimsOn(log);
  return {
    rounds: figure('rounds', 20, rounds_max),
    seed: figure('seed', Date.now() % 2 ** 31, 2 ** 32 - 1),
    checkEvery: figure('check-every', 10, rounds_max),
    log,
    victims: (values.victims?.split(',') ?? known).map((name) => {
      const victim = known.find((one) => one === name);
      if (victim !== undefined) return victim;
      throw new Error(`--victims names "${name}"; the victims are ${known.join(', ')}.`);
    }),
  };
}
