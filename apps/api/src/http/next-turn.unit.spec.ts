import { describe, expect, it } from '@jest/globals';
import { nextTurn } from './next-turn.js';

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('the next turn', () => {
  it('takes all who wait for it from step to step together', async () => {
    const steps: string[] = [];
    const walk = async (name: string): Promise<void> => {
      await nextTurn();
      steps.push(`${name} begins`);
      await Promise.resolve();
      steps.push(`${name} ends`);
    };
    await Promise.all([walk('one'), walk('other')]);
    expect(steps).toEqual(['one begins', 'other begins', 'one ends', 'other ends']);
  });

  it('does not wait for who comes in it', async () => {
    const went: string[] = [];
    const first = nextTurn().then(() => went.push('first'));
    await turn();
    const late = nextTurn().then(() => went.push('late'));
    expect(went).toEqual(['first']);
    await Promise.all([first, late]);
    expect(went).toEqual(['first', 'late']);
  });
});
