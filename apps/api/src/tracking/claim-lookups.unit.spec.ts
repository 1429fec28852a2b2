import { describe, expect, it } from '@jest/globals';
import type { Claim } from '#domain/claims/claim.js';
import { ClaimLookups } from './claim-lookups.js';

const claim = (eventId: string) => ({ eventId }) as Claim;

/** Lookups that wait for the test; `asked` are the ids of each. */
function heldLookups() {
  const asked: (readonly string[])[] = [];
  const open: ((failure?: Error) => void)[] = [];
  const lookups = new ClaimLookups(
    (eventIds) =>
      new Promise((resolve, reject) => {
        asked.push(eventIds);
        open.push((failure) => {
          if (failure !== undefined) reject(failure);
          else resolve(new Map(eventIds.map((eventId) => [eventId, claim(eventId)])));
        });
      }),
  );
  const end = async (failure?: Error): Promise<void> => {
    open.shift()!(failure);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { lookups, asked, end };
}

describe('lookups of claims', () => {
  it('share the next statement while one is under way', async () => {
    const { lookups, asked, end } = heldLookups();
    const found = ['a', 'b', 'c'].map((eventId) => lookups.find([eventId]));
    await end();
    await end();
    expect(asked).toEqual([['a'], ['b', 'c']]);
    expect((await found[0]!).get('a')).toEqual(claim('a'));
    expect((await found[2]!).get('c')).toEqual(claim('c'));
  });

  it('fail together, and go on', async () => {
    const { lookups, asked, end } = heldLookups();
    const failed = lookups.find(['a']).catch((error: unknown) => error);
    await end(new Error('connection lost'));
    expect(await failed).toEqual(new Error('connection lost'));
    const found = lookups.find(['b']);
    await end();
    expect((await found).size).toBe(1);
    expect(asked).toEqual([['a'], ['b']]);
  });
});
