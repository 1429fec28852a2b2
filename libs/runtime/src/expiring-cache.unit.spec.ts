import { beforeEach, describe, expect, it } from '@jest/globals';
import { ExpiringCache } from './expiring-cache.js';

/** A load that ends when the spec says so. */
interface Load {
  readonly key: string;
  readonly succeed: (value: string) => void;
  readonly fail: (error: Error) => void;
}

let loads: Load[];
let cache: ExpiringCache<string>;

beforeEach(() => {
  loads = [];
  cache = new ExpiringCache(
    { ttlMs: 100, entriesMax: 2 },
    (key) => new Promise((succeed, fail) => loads.push({ key, succeed, fail })),
  );
});

const loaded = () => loads.map(({ key }) => key);

describe('a cache whose entries expire', () => {
  it('loads once for callers that ask at the same time', async () => {
    const answers = [cache.get('a', 0), cache.get('a', 0)];
    loads[0]!.succeed('one');
    expect(await Promise.all(answers)).toEqual(['one', 'one']);
    expect(loaded()).toEqual(['a']);
  });

  it('loads again once an answer is too old, and not a moment before', async () => {
    const first = cache.get('a', 0);
    loads[0]!.succeed('one');
    await first;
    expect(await cache.get('a', 99)).toBe('one');
    const second = cache.get('a', 100);
    loads[1]!.succeed('two');
    expect(await second).toBe('two');
    expect(await cache.get('a', 199)).toBe('two');
    expect(loaded()).toEqual(['a', 'a']);
  });

  it('tells everybody who asked of a failure, and forgets it', async () => {
    const failing = [cache.get('a', 0), cache.get('a', 0)];
    loads[0]!.fail(new Error('away'));
    for (const answer of failing) await expect(answer).rejects.toThrow('away');
    const next = cache.get('a', 0);
    loads[1]!.succeed('one');
    expect(await next).toBe('one');
  });

  it('keeps a newer answer when an older load fails late', async () => {
    const late = cache.get('a', 0);
    const newer = cache.get('a', 100);
    loads[1]!.succeed('new');
    expect(await newer).toBe('new');
    loads[0]!.fail(new Error('late'));
    await expect(late).rejects.toThrow('late');
    expect(await cache.get('a', 101)).toBe('new');
    expect(loaded()).toEqual(['a', 'a']);
  });

  it('lets the oldest entry make room', () => {
    for (const key of ['a', 'b', 'c']) void cache.get(key, 0);
    void cache.get('c', 0);
    void cache.get('b', 0);
    expect(loaded()).toEqual(['a', 'b', 'c']);
    void cache.get('a', 0);
    expect(loaded()).toEqual(['a', 'b', 'c', 'a']);
  });
});
