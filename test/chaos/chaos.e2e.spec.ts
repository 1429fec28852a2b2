import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ChaosRun } from './chaos-run.js';
import { countsTable } from './chaos-table.js';
import type { HistoryCounts } from './history-counts.js';
import type { LogName } from './installation.js';
import { victimsOn } from './victims.js';

const seed = 20_260_522;
/** A run of the specs on Kafka kills a broker too, which must then be this installation's own. */
const log: LogName = process.env['UPTAKE_TEST_KAFKA_BROKERS'] === undefined ? 'embedded' : 'kafka';
const start_ms_max = 180_000;
const round_ms_max = 120_000;

let run: ChaosRun | null = null;
let counts: HistoryCounts | null = null;
let begun = 0;
let passed = 0;

beforeAll(async () => {
  run = await ChaosRun.start(seed, log);
}, start_ms_max);

afterAll(async () => {
  if (counts !== null)
    process.stdout.write(`kill -9 under load, log ${log}:\n${countsTable(counts)}`);
  if (run === null) return;
  const sound = begun === passed;
  if (!sound) process.stdout.write(`the service's log and data are kept in ${run.folder}\n`);
  await run.stop(!sound);
}, start_ms_max);

describe('an installation under concurrent new, identical and changed events', () => {
  it.each(victimsOn(log))(
    'survives kill -9 of %s: nothing acknowledged is lost, doubled or changed',
    async (victim) => {
      begun += 1;
      const report = await run!.round([victim]);
      expect(report.violations).toEqual([]);
      expect(report.requestsUnanswered).toBe(0);
      const verdict = await run!.check();
      counts = verdict.counts;
      expect(verdict.violations).toEqual([]);
      passed += 1;
    },
    round_ms_max,
  );

  it('was put to the test: every kind of answer occurred', () => {
    expect(counts?.firsts).toBeGreaterThan(0);
    expect(counts?.duplicates).toBeGreaterThan(0);
    expect(counts?.conflicts).toBeGreaterThan(0);
    expect(counts?.attemptsRefused['400']).toBeGreaterThan(0);
    expect(Object.keys(counts?.attemptsUncertain ?? {})).not.toEqual([]);
  });
});
