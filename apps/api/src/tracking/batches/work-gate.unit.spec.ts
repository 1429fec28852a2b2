import { describe, expect, it } from '@jest/globals';
import { WorkGate } from './work-gate.js';

/** Work that stays inside until it is told to end. */
function piecesOf(gate: WorkGate) {
  const inside = new Map<string, (failure?: Error) => void>();
  const enter = (name: string, size: number, givenUp = new AbortController().signal) =>
    gate.pass(size, givenUp, () =>
      new Promise<string>((done, fail) => {
        inside.set(name, (failure) => (failure === undefined ? done(name) : fail(failure)));
      }).finally(() => inside.delete(name)),
    );
  return { inside, enter };
}

const turn = () => new Promise((done) => setImmediate(done));

describe('a gate', () => {
  it('lets work in until its size is reached, and the next when something leaves', async () => {
    const { inside, enter } = piecesOf(new WorkGate(10));
    const all = [enter('a', 6), enter('b', 6), enter('c', 1), enter('d', 1)];
    await turn();
    expect([...inside.keys()]).toEqual(['a', 'b']);
    inside.get('a')!();
    await turn();
    expect([...inside.keys()]).toEqual(['b', 'c', 'd']);
    for (const leave of [...inside.values()]) leave();
    expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('lets in what is larger than the gate once it is alone', async () => {
    const { inside, enter } = piecesOf(new WorkGate(10));
    const all = [enter('small', 10), enter('large', 1000), enter('last', 1)];
    await turn();
    expect([...inside.keys()]).toEqual(['small']);
    inside.get('small')!();
    await turn();
    expect([...inside.keys()]).toEqual(['large']);
    inside.get('large')!();
    await turn();
    inside.get('last')!();
    expect(await Promise.all(all)).toEqual(['small', 'large', 'last']);
  });

  it('goes on after work that failed, whose failure is its own', async () => {
    const { inside, enter } = piecesOf(new WorkGate(1));
    const [failing, next] = [enter('failing', 1), enter('next', 1)];
    await turn();
    inside.get('failing')!(new Error('away'));
    await expect(failing).rejects.toThrow('away');
    await turn();
    inside.get('next')!();
    expect(await next).toBe('next');
  });

  it('lets go who is given up outside, and nobody else', async () => {
    const { inside, enter } = piecesOf(new WorkGate(1));
    const late = new AbortController();
    const first = enter('first', 1, late.signal);
    const second = enter('second', 1, late.signal);
    const third = enter('third', 1);
    await turn();
    late.abort(new Error('too late'));
    await expect(second).rejects.toThrow('too late');
    expect([...inside.keys()]).toEqual(['first']);
    inside.get('first')!();
    expect(await first).toBe('first');
    await turn();
    expect([...inside.keys()]).toEqual(['third']);
    inside.get('third')!();
    await third;
  });

  it('keeps the order, though a later one would fit', async () => {
    const { inside, enter } = piecesOf(new WorkGate(10));
    void enter('a', 10);
    void enter('b', 10);
    await turn();
    inside.get('a')!();
    void enter('c', 1);
    await turn();
    expect([...inside.keys()]).toEqual(['b']);
  });
});
