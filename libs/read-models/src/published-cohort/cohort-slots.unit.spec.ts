import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { nobody } from '#domain/adoption/cohort-facts.js';
import { adoption_periods } from '#domain/adoption/period.js';
import { cohortId, cohort_parts, type PublishedCohort } from '#domain/adoption/series.js';
import { cellsOf, changeSlots, withBit, type CohortSlots } from './cohort-slots.js';
import { slots_max } from './link-cells.js';

const count = { value: 0, lower: 0, upper: 0 };

function cohort(
  epoch: number,
  period: PublishedCohort['period'] = '30d',
  part: PublishedCohort['part'] = 'all',
): PublishedCohort {
  const figures = { developers: count, accounts: count, retained: null };
  const id = cohortId(epoch, period, part);
  return { id, period, part, facts: nobody, figures, shownUntil: epoch };
}

const anyChanges = fc.array(
  fc.record({
    added: fc.subarray(
      adoption_periods.flatMap((period) => cohort_parts.map((part) => ({ period, part }))),
    ),
    forgotten: fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }),
  }),
  { maxLength: 20 },
);

describe('the slots of published cohorts', () => {
  it('stay while a cohort is kept, and no two cohorts of a cell share one', () => {
    fc.assert(
      fc.property(anyChanges, (changes) => {
        let slots: CohortSlots = {};
        let published: readonly PublishedCohort[] = [];
        for (const [epoch, { added, forgotten }] of changes.entries()) {
          const kept = published.filter((_, index) => !forgotten[index % forgotten.length]);
          published = [...kept, ...added.map(({ period, part }) => cohort(epoch, period, part))];
          const change = changeSlots(slots, published);
          for (const { id } of kept) expect(change.slots[id]).toBe(slots[id]);
          const places = published.flatMap((one) =>
            cellsOf(one).map((cell) => `${cell} ${change.slots[one.id]}`),
          );
          expect(new Set(places).size).toBe(places.length);
          for (const one of kept) {
            for (const cell of cellsOf(one)) {
              expect(withBit(change.kept[cell]!, slots[one.id]!)).toBe(change.kept[cell]);
            }
          }
          slots = change.slots;
        }
      }),
    );
  });

  it('mark the links of a new cohort and of nothing else', () => {
    const { kept, added, slots } = changeSlots({}, [cohort(1, '7d', 'retention')]);
    expect(slots).toEqual({ '1/7d/retention': 0 });
    expect(kept.every((bits) => bits === 0)).toBe(true);
    expect(added.flatMap((bits, cell) => (bits === 0 ? [] : [[cell, bits]]))).toEqual([
      [9, 1],
      [12, 1],
    ]);
  });

  it('are as many as a number has bits, without the one of the candidate', () => {
    const all = Array.from({ length: slots_max + 1 }, (_, epoch) => cohort(epoch));
    let slots: CohortSlots = {};
    for (let epoch = 1; epoch <= slots_max; epoch += 1) {
      ({ slots } = changeSlots(slots, all.slice(0, epoch)));
    }
    expect(new Set(Object.values(slots)).size).toBe(31);
    expect(() => changeSlots(slots, all)).toThrow('at most 31');
  });
});
