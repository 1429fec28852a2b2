import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';
import { LineOutput } from './line-output.js';

describe('lines on a terminal', () => {
  it('hold nothing that a terminal obeys, and mean the same in JSON', async () => {
    const stream = new PassThrough();
    const value = { name: 'a\u009b31m\u202eb\u001b[2J\u2066', text: 'ü😀\t' };
    const output = new LineOutput(stream);
    await output.write([JSON.stringify(value), 'plain']);
    stream.end();
    const [first, second] = (await text(stream)).split('\n');
    expect(first).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e\u2066]/);
    expect(JSON.parse(first!)).toEqual(value);
    expect(second).toBe('plain');
  });
});
