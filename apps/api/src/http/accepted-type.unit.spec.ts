import { describe, expect, it } from '@jest/globals';
import { acceptedType, requireAcceptedType } from './accepted-type.js';

const offers = ['application/json', 'text/csv'] as const;

describe('the media type of an answer', () => {
  it.each([
    [undefined, 'application/json'],
    ['', 'application/json'],
    ['*/*', 'application/json'],
    ['text/csv', 'text/csv'],
    ['TEXT/CSV;charset=utf-8', 'text/csv'],
    ['text/*', 'text/csv'],
    ['application/*', 'application/json'],
    ['text/html, */*;q=0.8', 'application/json'],
    ['application/json;q=0.5, text/csv;q=0.6', 'text/csv'],
    ['application/json, text/csv', 'application/json'],
    ['application/json;q=0, */*', 'text/csv'],
    ['text/csv;q=0', null],
    ['text/html', null],
    ['application/json;q=nothing', null],
    ['*/*;q=0', null],
  ])('for Accept %j is %j', (accept, type) => {
    expect(acceptedType(accept, offers)).toBe(type);
  });

  it('that nobody can give is refused, and the answer says which there are', () => {
    expect(() => requireAcceptedType('text/html', offers)).toThrow(
      expect.objectContaining({ code: 'not_acceptable', members: { supported: offers } }),
    );
  });
});
