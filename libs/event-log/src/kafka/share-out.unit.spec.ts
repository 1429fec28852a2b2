import { describe, expect, it } from '@jest/globals';
import { shareOut, type Share, type SharingMember } from './share-out.js';

const member = (id: string, owned: readonly number[] = [], topic = 't'): SharingMember => ({
  id,
  topics: ['t', 'u'],
  owned: new Map([[topic, owned]]),
});
const of = (shares: Map<string, Share>, topic = 't'): Record<string, number[] | undefined> =>
  Object.fromEntries([...shares].map(([id, share]) => [id, share.get(topic)]));

describe('partitions are shared out', () => {
  it('evenly, and every partition once', () => {
    const shares = of(shareOut([member('a'), member('b'), member('c')], new Map([['t', 7]])));
    expect(Object.values(shares).map((share) => share!.length)).toEqual([3, 2, 2]);
    expect(Object.values(shares).flat().sort()).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });

  it('so that everybody keeps what fits, and what is to move goes to nobody yet', () => {
    const members = [member('a'), member('b', [0, 1, 2])];
    expect(of(shareOut(members, new Map([['t', 3]])))).toEqual({ a: [], b: [0, 1] });
    const later = [member('a'), member('b', [0, 1])];
    expect(of(shareOut(later, new Map([['t', 3]])))).toEqual({ a: [2], b: [0, 1] });
  });

  it('so that a member that comes back takes nothing from one that has its fair share', () => {
    const shares = shareOut([member('a'), member('b', [0])], new Map([['t', 1]]));
    expect(of(shares)).toEqual({ a: [], b: [0] });
  });

  it('so that the odd ones of several topics go to different members', () => {
    const counts = new Map([
      ['t', 1],
      ['u', 1],
    ]);
    const shares = shareOut([member('a'), member('b')], counts);
    const loads = [...shares.values()].map((share) => [...share.values()].flat().length);
    expect(loads).toEqual([1, 1]);
  });

  it('once, also when two members claim the same one', () => {
    const shares = of(shareOut([member('a', [0]), member('b', [0])], new Map([['t', 1]])));
    expect(shares).toEqual({ a: [0], b: [] });
  });

  it('among those that subscribe to the topic', () => {
    const other: SharingMember = { id: 'c', topics: ['u'], owned: new Map() };
    const shares = of(shareOut([member('a'), other], new Map([['t', 2]])));
    expect(shares).toEqual({ a: [0, 1], c: undefined });
  });
});
