import { describe, expect, it } from '@jest/globals';
import { JoinedCalls } from './joined-calls.js';

describe('calls of one turn of the event loop', () => {
  it('share one question, and each gets its own answer', async () => {
    const asked: (readonly number[])[] = [];
    const doubled = new JoinedCalls(async (inputs: readonly number[]) => {
      asked.push(inputs);
      return inputs.map((input) => 2 * input);
    });
    expect(await Promise.all([doubled.add(1), doubled.add(2), doubled.add(3)])).toEqual([2, 4, 6]);
    expect(await doubled.add(4)).toBe(8);
    expect(asked).toEqual([[1, 2, 3], [4]]);
  });

  it('fail together, and the next turn asks again', async () => {
    let up = false;
    const echo = new JoinedCalls(async (inputs: readonly string[]) => {
      if (!up) throw new Error('the server is away');
      return inputs;
    });
    const outcomes = await Promise.allSettled([echo.add('one'), echo.add('two')]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    up = true;
    expect(await echo.add('three')).toBe('three');
  });
});
