import { describe, expect, it } from '@jest/globals';
import { Writable } from 'node:stream';
import { LineOutput } from './line-output.js';

/** A reader that takes one line and then answers as told. */
function reader(then: Error | null): { readonly stream: Writable; readonly taken: string[] } {
  const taken: string[] = [];
  const stream = new Writable({
    highWaterMark: 1,
    write: (chunk: Buffer, _encoding, done) => {
      if (taken.length === 1 && then !== null) done(then);
      else {
        taken.push(chunk.toString());
        done();
      }
    },
  });
  return { stream, taken };
}

describe('lines for a reader', () => {
  it('wait until it has taken what came before', async () => {
    const { stream, taken } = reader(null);
    const output = new LineOutput(stream);
    for (const line of ['one', 'two', 'three']) await output.write([line]);
    expect(taken).toEqual(['one\n', 'two\n', 'three\n']);
    expect(output.ended).toBe(false);
  });

  it('end without a failure when it reads no more', async () => {
    const { stream, taken } = reader(Object.assign(new Error('gone'), { code: 'EPIPE' }));
    const output = new LineOutput(stream);
    for (const line of ['one', 'two', 'three']) await output.write([line]);
    expect(taken).toEqual(['one\n']);
    expect(output.ended).toBe(true);
  });

  it('fail when they cannot be written', async () => {
    const { stream } = reader(Object.assign(new Error('disk full'), { code: 'ENOSPC' }));
    const output = new LineOutput(stream);
    await output.write(['one']);
    await expect(output.write(['two'])).rejects.toThrow('disk full');
  });
});
