import { nobody, type CohortFacts } from '#domain/adoption/cohort-facts.js';
import { cohortFacts, type Cohort, type CohortLink } from '#domain/adoption/cohort-members.js';

/**
 * Differences of cohorts, found by merging sorted numbers: the same answers as
 * `cohortDifference`, and quick enough for thousands of pairs an epoch.
 */
export class LinkIndex {
  private readonly ids = new Map<string, number>();
  private readonly links: (readonly [string, CohortLink])[] = [];
  private readonly sorted = new WeakMap<Cohort, Int32Array>();

  difference(one: Cohort, other: Cohort): CohortFacts {
    const [a, b] = [this.sortedIds(one), this.sortedIds(other)];
    const different: number[] = [];
    let [i, j] = [0, 0];
    while (i < a.length || j < b.length) {
      const [left, right] = [a[i] ?? Infinity, b[j] ?? Infinity];
      if (left === right) {
        i += 1;
        j += 1;
      } else if (left < right) {
        different.push(left);
        i += 1;
      } else {
        different.push(right);
        j += 1;
      }
    }
    if (different.length === 0) return nobody;
    return cohortFacts(new Map(different.map((id) => this.links[id]!)));
  }

  private sortedIds(cohort: Cohort): Int32Array {
    const known = this.sorted.get(cohort);
    if (known !== undefined) return known;
    const ids = Int32Array.from([...cohort].map((entry) => this.idOf(entry))).sort();
    this.sorted.set(cohort, ids);
    return ids;
  }

  private idOf(entry: readonly [string, CohortLink]): number {
    const known = this.ids.get(entry[0]);
    if (known !== undefined) return known;
    this.ids.set(entry[0], this.links.length);
    return this.links.push(entry) - 1;
  }
}
