import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { admitBatch, judged_records, type Judgements } from './quarantine-bar.js';

const share_max = 0.05;
const most = judged_records * share_max;

/** `count` records of which every `nth` is set aside. */
const oneIn = (nth: number, count = judged_records): Judgements =>
  Array.from({ length: count }, (_, index) => index % nth === nth - 1);

/** Batches in which up to one record in ten is set aside. */
const batches = fc.array(
  fc.array(
    fc.integer({ min: 0, max: 9 }).map((figure) => figure === 0),
    { minLength: 1, maxLength: 400 },
  ),
  { maxLength: 20 },
);

/** Offers one batch after the other, and gives what was admitted of them, in order. */
function admittedOf(offered: readonly Judgements[], shareMax: number): Judgements[] {
  const admitted: Judgements[] = [];
  let lately: Judgements = [];
  for (const batch of offered) {
    const admission = admitBatch(lately, batch, shareMax);
    if (admission.kind === 'refused') continue;
    lately = admission.lately;
    admitted.push(batch);
  }
  return admitted;
}

describe('a reader that sets records aside', () => {
  it('is stopped at 6 % of 1 000 records, and not at 5 %', () => {
    expect(admitBatch([], oneIn(16), share_max)).toMatchObject({ kind: 'refused', setAside: 62 });
    expect(admitBatch([], oneIn(20), share_max)).toMatchObject({ kind: 'admitted' });
  });

  it('goes on while fewer than 1 000 records were judged, whatever they were', () => {
    const few = fc.array(fc.boolean(), { maxLength: judged_records - 1 });
    fc.assert(
      fc.property(few, (batch) => {
        expect(admitBatch([], batch, share_max).kind).toBe('admitted');
      }),
    );
  });

  it('is never stopped by a batch that it can read, nor when every share is allowed', () => {
    const lately = Array<boolean>(judged_records).fill(true);
    expect(admitBatch(lately, [false], share_max).kind).toBe('admitted');
    expect(admitBatch(lately, [true], 1).kind).toBe('admitted');
  });

  it('forgets what was judged more than 1 000 records ago', () => {
    const sound = Array<boolean>(judged_records).fill(false);
    const first = admitBatch([], oneIn(20), share_max);
    if (first.kind === 'refused') throw new Error('5 % are allowed.');
    const later = admitBatch(first.lately, sound, share_max);
    expect(later).toEqual({ kind: 'admitted', lately: sound });
  });

  it('has set aside at most 50 of any 1 000 records that end with a batch that had some', () => {
    fc.assert(
      fc.property(batches, (offered) => {
        const admitted = admittedOf(offered, share_max);
        const records = admitted.flat();
        let end = 0;
        for (const batch of admitted) {
          end += batch.length;
          if (end < judged_records || !batch.includes(true)) continue;
          const window = records.slice(end - judged_records, end);
          expect(window.filter(Boolean).length).toBeLessThanOrEqual(most);
        }
      }),
    );
  });

  it('is stopped at the same record however its records are cut into batches', () => {
    const record = fc.integer({ min: 0, max: 14 }).map((figure) => figure === 0);
    const stream = fc.array(record, { minLength: judged_records, maxLength: 3_000 });
    fc.assert(
      fc.property(stream, (records) => {
        const whole = admitBatch([], records, share_max);
        let lately: Judgements = [];
        // Cut before every record that is set aside: then no batch passes for having none.
        const cuts = [...records.keys()].filter((index) => index === 0 || records[index]);
        let refusedAt: number | null = null;
        for (const [number, from] of cuts.entries()) {
          const admission = admitBatch(lately, records.slice(from, cuts[number + 1]), share_max);
          if (admission.kind === 'refused') {
            refusedAt = from + admission.at;
            break;
          }
          lately = admission.lately;
        }
        expect(refusedAt).toBe(whole.kind === 'refused' ? whole.at : null);
      }),
      { numRuns: 50 },
    );
  });
});
