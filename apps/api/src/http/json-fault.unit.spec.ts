import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { jsonFaultAt } from './json-fault.js';

/** How the engine's parser refuses a text; null when it takes it. */
function refusal(text: string): string | null {
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    return (error as SyntaxError).message;
  }
}

/** Whether nothing is wrong with a text but that there is no more of it. */
function endsTooEarly(text: string): boolean {
  const message = refusal(text) ?? '';
  return /end of JSON|Unterminated string/.test(message) || positionIn(message) === text.length;
}

function positionIn(message: string): number | null {
  const named = /at position (\d+)/.exec(message);
  return named === null ? null : Number(named[1]);
}

describe('the fault of a JSON text', () => {
  it.each<[string, number]>([
    ['{"a": FIRST}', 6],
    ['{"a":NaN}', 5],
    ['<html>', 0],
    ['\ufeff{}', 0],
    ['{"a":1,}', 7],
    ['[1,]', 3],
    ['{a:1}', 1],
    ["{'a':1}", 1],
    ['{"a" 1}', 5],
    ['{"a":1 "b":2}', 7],
    ['[1}', 2],
    ['{"a":01}', 6],
    ['{} x', 3],
    ['{"a":"b', 7],
    ['{"a":"\n"}', 6],
    ['{"a":"\\x"}', 6],
    ['{"a":', 5],
    ['', 0],
    ['{"a":[1,{"b":null}]}', 20],
  ])('of %j is at %i', (text, position) => {
    expect(jsonFaultAt(text)).toBe(position);
  });

  it('is where the parser of the engine finds it, up to which everything could be JSON', () => {
    const signs = fc.constantFrom(...'{}[]:,"\\\n 01-.eu', 'true', 'nul', '"a"', '{"a":', '😀');
    const mutated = fc
      .tuple(fc.json(), fc.nat(), fc.nat({ max: 3 }), fc.array(signs, { maxLength: 3 }))
      .map(([json, at, removed, added]) => {
        const from = at % (json.length + 1);
        return json.slice(0, from) + added.join('') + json.slice(from + removed);
      });
    const made = fc.array(signs, { maxLength: 12 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.oneof(mutated, made), (text) => {
        const at = jsonFaultAt(text);
        const message = refusal(text);
        if (message === null || endsTooEarly(text)) return;
        expect(at).toBeLessThan(text.length);
        const before = text.slice(0, at);
        expect(refusal(before) === null || endsTooEarly(before)).toBe(true);
        // Within a token the engine points behind its begin.
        const named = positionIn(message);
        if (named !== null) expect(named).toBeGreaterThanOrEqual(at);
      }),
      { numRuns: 2000 },
    );
  });

  it('is the end where there is none, or nothing but the end is missing', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(jsonFaultAt(text)).toBe(text.length);
      }),
    );
  });

  it('is found in a long text, however it is nested', () => {
    const long = `["${'x'.repeat(5_000_000)}",${'['.repeat(500_000)}`;
    expect(jsonFaultAt(`${long} x`)).toBe(long.length + 1);
  });
});
