import { describe, expect, it } from '@jest/globals';
import {
  addThreadMetrics,
  countClaims,
  countQuarantined,
  measureAppend,
  metricFigures,
  metricsText,
  observeDelay,
  watchLag,
} from './metrics.js';

/** The figure of one line of the text, such as `uptake_claims_total{outcome="new"}`. */
async function figure(line: string): Promise<number | null> {
  const text = await metricsText();
  const found = text.split('\n').find((one) => one.startsWith(`${line} `));
  return found === undefined ? null : Number(found.slice(line.length + 1));
}

const failing = (error: Error) => () => Promise.reject(error);
const named = (name: string, outcomeUnknown?: boolean) =>
  Object.assign(new Error(name), { name, outcomeUnknown });

describe('the metrics of a process', () => {
  it('time appends by how they ended', async () => {
    expect(await measureAppend(() => Promise.resolve('acks'))).toBe('acks');
    const errors = [
      named('LogBackpressureError'),
      named('LogUnavailableError', false),
      named('LogUnavailableError', true),
    ];
    for (const error of errors) {
      await expect(measureAppend(failing(error))).rejects.toBe(error);
    }
    for (const outcome of ['acknowledged', 'refused', 'unavailable', 'unknown']) {
      expect(await figure(`uptake_append_seconds_count{outcome="${outcome}"}`)).toBe(1);
    }
  });

  it('count claims by verdict', async () => {
    countClaims([[{ kind: 'new' }, { kind: 'duplicate' }], [{ kind: 'new' }]]);
    expect(await figure('uptake_claims_total{outcome="new"}')).toBe(2);
    expect(await figure('uptake_claims_total{outcome="duplicate"}')).toBe(1);
  });

  it('count what was set aside, and time the legs of the way', async () => {
    countQuarantined('ingest-worker', 'superseded', 3);
    observeDelay('projected', 1500);
    const set = 'uptake_quarantined_total{stage="ingest-worker",reason="superseded"}';
    expect(await figure(set)).toBe(3);
    expect(await figure('uptake_delay_seconds_sum{leg="received_to_projected"}')).toBe(1.5);
  });

  it('read the lag of a group at every scrape, until it is no longer watched', async () => {
    let lag = 7n;
    const log = { lag: async () => [{ partition: 2, lag }] };
    const stop = watchLag(log, 'group-a', 'topic-a');
    const line = 'uptake_consumer_lag_records{group="group-a",topic="topic-a",partition="2"}';
    expect(await figure(line)).toBe(7);
    lag = 0n;
    expect(await figure(line)).toBe(0);
    await stop();
    expect(await figure(line)).toBeNull();
  });

  it('show no lag while the log is away', async () => {
    const stop = watchLag({ lag: failing(new Error('away')) }, 'group-b', 'topic-b');
    expect(await metricsText()).not.toContain('group-b');
    await stop();
  });

  it('add up those of other threads', async () => {
    countQuarantined('stage', 'reason', 2);
    const elsewhere = structuredClone(await metricFigures());
    const line = 'uptake_quarantined_total{stage="stage",reason="reason"}';
    const remove = addThreadMetrics(async () => elsewhere);
    expect(await figure(line)).toBe(4);
    remove();
    expect(await figure(line)).toBe(2);
  });
});
