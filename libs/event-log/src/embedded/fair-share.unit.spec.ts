import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { fairShare } from './fair-share.js';

/** Lets every member act in turn until nobody moves; answers owners and rounds needed. */
function settle(members: readonly number[], partitions: number, owners: Map<number, number>) {
  for (let round = 1; round <= 10; round += 1) {
    let moved = false;
    for (const me of members) {
      const { release, candidates, claimCount } = fairShare(me, partitions, { members, owners }, 0);
      for (const partition of release) owners.delete(partition);
      for (const partition of candidates.slice(0, claimCount)) owners.set(partition, me);
      moved ||= release.length > 0 || (claimCount > 0 && candidates.length > 0);
    }
    if (!moved) return { owners, rounds: round };
  }
  throw new Error('The members never agree.');
}

describe('fairShare', () => {
  it('ends with every partition owned and nobody two ahead of another', () => {
    const members = fc.uniqueArray(fc.integer({ min: 1, max: 99_999 }), {
      minLength: 1,
      maxLength: 8,
    });
    const start = fc.array(fc.tuple(fc.nat({ max: 23 }), fc.nat({ max: 7 })), { maxLength: 24 });
    fc.assert(
      fc.property(members, fc.integer({ min: 1, max: 24 }), start, (ids, partitions, taken) => {
        const before = taken
          .filter(([partition]) => partition < partitions)
          .map(([partition, index]): [number, number] => [partition, ids[index % ids.length]!]);
        const { owners } = settle(ids, partitions, new Map(before));
        expect(owners.size).toBe(partitions);
        const counts = ids.map((id) => [...owners.values()].filter((owner) => owner === id).length);
        expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('moves nothing when the split is fair already', () => {
    const owners = new Map([0, 1, 2, 3].map((partition) => [partition, partition % 2]));
    for (const me of [0, 1]) {
      const decision = fairShare(me, 4, { members: [0, 1], owners }, 0);
      expect(decision).toMatchObject({ release: [], claimCount: 0 });
    }
  });

  it('leaves the only partition where it is, whoever joins', () => {
    const roster = { members: [1, 2, 3], owners: new Map([[0, 2]]) };
    const decisions = [1, 2, 3].map((me) => fairShare(me, 1, roster, 0));
    expect(decisions.flatMap(({ release }) => release)).toEqual([]);
    expect(decisions.map(({ claimCount }) => claimCount)).toEqual([0, 0, 0]);
  });

  it('takes from a full member only what the new one is due', () => {
    const owners = new Map([0, 1, 2, 3, 4, 5].map((partition) => [partition, 1]));
    const { release } = fairShare(1, 6, { members: [1, 2], owners }, 0);
    expect(release).toEqual([3, 4, 5]);
  });

  it('gives the odd partitions of several topics to different members', () => {
    const roster = { members: [1, 2], owners: new Map<number, number>() };
    const firstTopic = [1, 2].map((me) => fairShare(me, 1, roster, 0).claimCount);
    const secondTopic = [1, 2].map((me) => fairShare(me, 1, roster, 1).claimCount);
    expect(firstTopic).toEqual([1, 0]);
    expect(secondTopic).toEqual([0, 1]);
  });
});
