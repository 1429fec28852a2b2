import { describe, expect, it } from '@jest/globals';
import { within } from './within.js';

const never = new Promise<string>(() => undefined);

describe('waiting within a limit', () => {
  it('gives what the promise answers, or throws what it throws', async () => {
    expect(await within(60_000, Promise.resolve('answer'))).toBe('answer');
    await expect(within(60_000, Promise.reject(new Error('away')))).rejects.toThrow('away');
  });

  it('throws when there is no answer in time', async () => {
    await expect(within(1, never)).rejects.toThrow('No answer within 1 ms.');
    await expect(within(1, never, () => new Error('too late'))).rejects.toThrow('too late');
  });

  it('leaves no timer behind', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout');
    const before = timers().length;
    await within(60_000, Promise.resolve('answer'));
    expect(timers().length).toBe(before);
  });
});
