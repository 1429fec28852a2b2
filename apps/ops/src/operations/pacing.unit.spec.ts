import { describe, expect, it } from '@jest/globals';
import { secondsLeft, spend, stepUnits, type Pace } from './pacing.js';

describe('the pace of an operation', () => {
  it('has every step wait until its units are paid for', () => {
    expect(spend({ credit: 0, at: 0 }, 50, 100, 0).waitMs).toBe(500);
    expect(spend({ credit: 0, at: 0 }, 50, 100, 400).waitMs).toBe(100);
    expect(spend({ credit: 0, at: 0 }, 50, 100, 900).waitMs).toBe(0);
  });

  it('never exceeds the rate over the whole run, whatever the steps', () => {
    let pace: Pace = { credit: 0, at: 0 };
    let now = 0;
    let units = 0;
    for (let step = 0; step < 200; step += 1) {
      const size = 1 + ((step * 7) % 30);
      const next = spend(pace, size, 40, now);
      pace = next.pace;
      units += size;
      now += next.waitMs + (step % 5) * 3;
      expect(units / 40).toBeLessThanOrEqual(now / 1000 + 30 / 40);
    }
  });

  it('makes up for a slow moment by one second of haste and no more', () => {
    const { pace, waitMs } = spend({ credit: 0, at: 0 }, 10, 10, 60_000);
    expect([pace.credit, waitMs]).toEqual([0, 0]);
    expect(spend(pace, 10, 10, 60_000).waitMs).toBe(1000);
  });

  it('survives a clock that is set back', () => {
    expect(spend({ credit: 0, at: 5000 }, 5, 10, 0).waitMs).toBe(500);
  });

  it('takes steps of about half a second', () => {
    expect([1, 3, 100, 100_000, undefined].map(stepUnits)).toEqual([1, 1, 50, 500, 500]);
  });

  it('tells the time that is left from the time that was needed', () => {
    expect(secondsLeft(50, 100, 10_000)).toBe(20);
    expect(secondsLeft(50, 0, 10_000)).toBe(0);
    expect(secondsLeft(0, 100, 10_000)).toBeNull();
  });
});
