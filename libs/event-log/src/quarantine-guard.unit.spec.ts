import { beforeEach, describe, expect, it } from '@jest/globals';
import { judged_records } from '#domain/quarantine/quarantine-bar.js';
import { createLogger } from '#runtime/logger.js';
import { metricsText } from '#runtime/metrics.js';
import type { LogRecord } from './event-log.js';
import { QuarantineGuard, QuarantineStopError } from './quarantine-guard.js';

const share_max = 0.05;
const logger = createLogger('spec', 'silent');

let guard: QuarantineGuard;
beforeEach(() => {
  guard = new QuarantineGuard('spec', share_max, logger);
});

/** Records of one partition from `offset` on. */
const records = (partition: number, offset: number, count: number): readonly LogRecord[] =>
  Array.from({ length: count }, (_, index) => ({
    topic: 'spec',
    partition,
    offset: BigInt(offset + index),
    appendedAt: 0,
    key: '',
    value: new Uint8Array(),
    headers: {},
  }));

/** Offers a batch whose first `unreadable` records cannot be read. */
const offer = (batch: readonly LogRecord[], unreadable: number, now = 0) =>
  guard.admit(batch, new Set(batch.slice(0, unreadable)), now);

const readiness = (now = 0) => guard.readiness(now).up;

describe('a stage that would set too many records aside', () => {
  it('counts a batch once however often it comes', () => {
    const batch = records(0, 0, 999);
    for (let delivery = 0; delivery < 10; delivery += 1) offer(batch, 300);
    expect(readiness()).toBe(true);
    expect(() => offer(records(0, 999, 1), 1)).toThrow(QuarantineStopError);
  });

  it('takes nothing of other partitions either until that batch is judged well', async () => {
    const refused = records(0, 0, judged_records);
    expect(() => offer(refused, 51)).toThrow(QuarantineStopError);
    expect(() => offer(records(1, 0, 10), 0)).toThrow(QuarantineStopError);
    expect(readiness()).toBe(false);
    expect(await metricsText()).toContain('uptake_quarantine_stopped{stage="spec"} 1');
    expect(() => offer(refused, 51)).toThrow(QuarantineStopError);
    offer(refused, 50);
    offer(records(1, 0, 10), 0);
    expect(readiness()).toBe(true);
    expect(await metricsText()).toContain('uptake_quarantine_stopped{stage="spec"} 0');
  });

  it('goes on when the batch does not come again, its partition being elsewhere by now', () => {
    expect(() => offer(records(0, 0, judged_records), 51)).toThrow(QuarantineStopError);
    expect(() => offer(records(1, 0, 10), 0, 59_999)).toThrow(QuarantineStopError);
    offer(records(1, 0, 10), 0, 60_000);
    expect(readiness(60_000)).toBe(true);
  });
});
