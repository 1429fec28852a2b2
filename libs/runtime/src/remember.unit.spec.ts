import { describe, expect, it } from '@jest/globals';
import { remember } from './remember.js';

describe('a function that remembers', () => {
  it('asks once for what is asked again, and gives the same answers', () => {
    const asked: string[] = [];
    const length = remember(3, (text) => {
      asked.push(text);
      return text.length;
    });
    expect(['a', 'bb', 'a', 'bb'].map(length)).toEqual([1, 2, 1, 2]);
    expect(asked).toEqual(['a', 'bb']);
  });

  it('keeps the latest answers and forgets the oldest', () => {
    let asked = 0;
    const echo = remember(10, (text) => {
      asked += 1;
      return text;
    });
    for (let index = 0; index < 100; index += 1) echo(String(index));
    asked = 0;
    for (let index = 90; index < 100; index += 1) echo(String(index));
    expect(asked).toBe(0);
    echo('0');
    expect(asked).toBe(1);
  });
});
