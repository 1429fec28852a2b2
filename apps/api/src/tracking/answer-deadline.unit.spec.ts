import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { AnswerDeadline } from './answer-deadline.js';

describe('the deadline of answers', () => {
  let expired: string[];
  let deadline: AnswerDeadline<string>;

  beforeEach(() => {
    jest.useFakeTimers();
    expired = [];
    deadline = new AnswerDeadline<string>(100, (request) => expired.push(request));
  });
  afterEach(() => void jest.useRealTimers());

  it('gives up what is not settled in time, each by its own arrival', () => {
    deadline.add('one');
    jest.advanceTimersByTime(60);
    deadline.add('two');
    jest.advanceTimersByTime(39);
    expect(expired).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(expired).toEqual(['one']);
    jest.advanceTimersByTime(60);
    expect(expired).toEqual(['one', 'two']);
  });

  it('leaves alone what is settled', () => {
    deadline.add('answered');
    deadline.add('late');
    deadline.settle('answered');
    jest.advanceTimersByTime(1_000);
    expect(expired).toEqual(['late']);
  });

  it('goes on after a rest', () => {
    deadline.add('first');
    jest.advanceTimersByTime(1_000);
    deadline.add('second');
    jest.advanceTimersByTime(99);
    expect(expired).toEqual(['first']);
    jest.advanceTimersByTime(1);
    expect(expired).toEqual(['first', 'second']);
    expect(jest.getTimerCount()).toBe(0);
  });
});
