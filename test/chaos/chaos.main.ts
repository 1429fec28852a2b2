import { readChaosOptions, type ChaosOptions } from './chaos-options.js';
import { ChaosRun, type RoundReport } from './chaos-run.js';
import { countsTable, violationLines } from './chaos-table.js';
import type { HistoryVerdict } from './check-history.js';
import { SeededRandom } from '../support/seeded-random.js';
import type { Victim } from './victims.js';

const write = (text: string): void => void process.stdout.write(text);
const rounds_per_pair = 3;
// A supervisor gives up a child that keeps dying young; a new parent begins to count anew.
const rounds_per_restart = 10;

/** The victims of one round: one, or where there are others to choose from, now and then two. */
function chooseVictims(round: number, options: ChaosOptions, random: SeededRandom) {
  const first = random.pick(options.victims);
  const others = options.victims.filter((victim) => victim !== first);
  if (round % rounds_per_pair !== 0 || others.length === 0) return [first];
  return [first, random.pick(others)];
}

function roundLine(round: number, killed: readonly Victim[], report: RoundReport): string {
  const { recoveryMs, requests, acknowledged, requestsUnanswered, slowestMs, violations } = report;
  return [
    `round ${String(round).padStart(4)}`,
    killed.join(' + ').padEnd(27),
    `ready again after ${String(recoveryMs).padStart(6)} ms`,
    `requests ${String(requests).padStart(5)}`,
    `events acknowledged ${String(acknowledged).padStart(6)}`,
    `longest wait ${String(slowestMs).padStart(5)} ms`,
    `unanswered ${requestsUnanswered}`,
    `violations ${violations.length}\n`,
  ].join('  ');
}

function checkLine({ counts, violations }: HistoryVerdict, tookMs: number): string {
  const { acknowledged, claims, rows } = counts;
  const found = `acknowledged ${acknowledged}  claims ${claims}  rows ${rows}`;
  return `  everything checked in ${tookMs} ms  ${found}  violations ${violations.length}\n`;
}

function killedLine(killed: readonly Victim[]): string {
  const counts = new Map<Victim, number>();
  for (const victim of killed) counts.set(victim, (counts.get(victim) ?? 0) + 1);
  return `killed: ${[...counts].map(([victim, count]) => `${victim} ${count}`).join(', ')}\n`;
}

interface Ending {
  readonly sound: boolean;
  readonly verdict: HistoryVerdict | null;
  readonly killed: readonly Victim[];
}

/** The rounds, one after the other; a violation ends them. */
async function runRounds(
  run: ChaosRun,
  options: ChaosOptions,
  interrupted: AbortSignal,
): Promise<Ending> {
  const random = new SeededRandom(options.seed);
  const killed: Victim[] = [];
  let verdict: HistoryVerdict | null = null;
  for (let round = 1; round <= options.rounds && !interrupted.aborted; round += 1) {
    const victims = chooseVictims(round, options, random);
    if (round % rounds_per_restart === 0) await run.restart();
    const report = await run.round(victims);
    killed.push(...victims);
    write(roundLine(round, victims, report) + violationLines(report.violations));
    const broken = report.violations.length + report.requestsUnanswered > 0;
    const last = round === options.rounds || interrupted.aborted;
    if (broken || last || round % options.checkEvery === 0) {
      const begun = Date.now();
      verdict = await run.check();
      write(checkLine(verdict, Date.now() - begun) + violationLines(verdict.violations));
    }
    if (broken || (verdict?.violations.length ?? 0) > 0) return { sound: false, verdict, killed };
  }
  return { sound: true, verdict, killed };
}

/**
 * The long form of the kill -9 proof: `chaos.main.js [--log kafka] [--rounds 20] [--seed n]
 * [--victims a,b] [--check-every 10]`. Each round kills one process, every third round two; before
 * every tenth the service is stopped and started in an orderly way. Ends with code 1 on any
 * violation or failure, and with 130 when an interrupt ended it after a round without one.
 */
async function main(): Promise<number> {
  const options = readChaosOptions();
  const { seed, rounds, log, victims } = options;
  write(`seed ${seed}, ${rounds} rounds, log ${log}, victims ${victims.join(', ')}\n`);
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      write('interrupted: this round is the last\n');
      interrupted.abort();
    });
  }
  const begun = Date.now();
  const run = await ChaosRun.start(seed, log);
  let ending: Ending | null = null;
  try {
    ending = await runRounds(run, options, interrupted.signal);
  } finally {
    const sound = ending?.sound === true;
    if (ending !== null) write(`\n${killedLine(ending.killed)}`);
    if (ending?.verdict != null) write(countsTable(ending.verdict.counts));
    if (!sound) write(`the service's log and data are kept in ${run.folder}\n`);
    await run.stop(!sound);
  }
  write(`${Math.round((Date.now() - begun) / 1000)} s\n`);
  write(ending.sound ? 'no violation\n' : 'the promises were broken\n');
  if (!ending.sound) return 1;
  return interrupted.signal.aborted ? 130 : 0;
}

process.exitCode = await main().catch((error: unknown) => {
  write(`${error instanceof Error ? error.message : String(error)}\n`);
  return 1;
});
