import { parseArgs } from 'node:util';
import { ChaosRun, type RoundReport } from './chaos-run.js';
import { countsTable, violationLines } from './chaos-table.js';
import { SeededRandom } from '../support/seeded-random.js';
import { victims, type Victim } from './victims.js';

const write = (text: string): void => void process.stdout.write(text);
const rounds_max = 10_000;
const rounds_per_pair = 3;
// A supervisor gives up a child that keeps dying young; a new parent begins to count anew.
const rounds_per_restart = 10;

interface Options {
  readonly rounds: number;
  readonly seed: number;
  readonly victims: readonly Victim[];
}

function readOptions(): Options {
  const { values } = parseArgs({
    options: { rounds: { type: 'string' }, seed: { type: 'string' }, victims: { type: 'string' } },
  });
  const number = (name: 'rounds' | 'seed', otherwise: number, most: number): number => {
    const value = Number(values[name] ?? otherwise);
    if (Number.isInteger(value) && value >= 1 && value <= most) return value;
    throw new Error(`--${name} is "${values[name]}"; it must be a whole number from 1 to ${most}.`);
  };
  const named = values.victims?.split(',') ?? victims;
  return {
    rounds: number('rounds', 20, rounds_max),
    seed: number('seed', Date.now() % 2 ** 31, 2 ** 32 - 1),
    victims: named.map((name) => {
      const victim = victims.find((known) => known === name);
      if (victim !== undefined) return victim;
      throw new Error(`--victims names "${name}"; the victims are ${victims.join(', ')}.`);
    }),
  };
}

/** The victims of one round: one, or where there are others to choose from, now and then two. */
function chooseVictims(round: number, options: Options, random: SeededRandom): readonly Victim[] {
  const first = random.pick(options.victims);
  const others = options.victims.filter((victim) => victim !== first);
  if (round % rounds_per_pair !== 0 || others.length === 0) return [first];
  return [first, random.pick(others)];
}

function roundLine(round: number, killed: readonly Victim[], report: RoundReport): string {
  const { counts, violations, recoveryMs } = report;
  return [
    `round ${String(round).padStart(4)}`,
    killed.join(' + ').padEnd(27),
    `ready again after ${String(recoveryMs).padStart(6)} ms`,
    `acknowledged ${String(counts.acknowledged).padStart(7)}`,
    `rows ${String(counts.rows).padStart(7)}`,
    `unanswered ${counts.requestsUnanswered}`,
    `violations ${violations.length}\n`,
  ].join('  ');
}

/**
 * The long form of the kill -9 proof: `chaos.main.js [--rounds 20] [--seed n] [--victims a,b]`.
 * Each round kills one process, every third round two; before every tenth the service is stopped
 * and started in an orderly way. Ends with code 1 on any violation or failure, and with 130 when
 * an interrupt ended it after a round without one.
 */
async function main(): Promise<number> {
  const options = readOptions();
  write(`seed ${options.seed}, ${options.rounds} rounds, victims ${options.victims.join(', ')}\n`);
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      write('interrupted: this round is the last\n');
      interrupted.abort();
    });
  }
  const random = new SeededRandom(options.seed);
  const run = await ChaosRun.start(options.seed);
  let last: RoundReport | null = null;
  let sound = false;
  try {
    for (let round = 1; round <= options.rounds && !interrupted.signal.aborted; round += 1) {
      const killed = chooseVictims(round, options, random);
      if (round % rounds_per_restart === 0) await run.restart();
      last = await run.round(killed);
      write(roundLine(round, killed, last) + violationLines(last));
      if (last.violations.length > 0 || last.counts.requestsUnanswered > 0) break;
    }
    sound = last === null || last.violations.length + last.counts.requestsUnanswered === 0;
  } finally {
    if (last !== null) write(`\n${countsTable(last.counts)}`);
    if (!sound) write(`the service's log and data are kept in ${run.folder}\n`);
    await run.stop(!sound);
  }
  write(sound ? 'no violation\n' : 'the promises were broken\n');
  if (!sound) return 1;
  return interrupted.signal.aborted ? 130 : 0;
}

process.exitCode = await main().catch((error: unknown) => {
  write(`${error instanceof Error ? error.message : String(error)}\n`);
  return 1;
});
