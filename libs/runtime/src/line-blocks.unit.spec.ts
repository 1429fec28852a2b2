import { describe, expect, it } from '@jest/globals';
import { LineBlocks } from './line-blocks.js';

function openBlocks() {
  const written: string[] = [];
  let waited = 0;
  const blocks = new LineBlocks({
    write: (block) => written.push(block),
    flushSync: () => (waited += 1),
  });
  return { blocks, written, waited: () => waited };
}

describe('log lines on their way to standard output', () => {
  it('are written together once they fill a block, none lost and none twice', () => {
    const { blocks, written } = openBlocks();
    const line = `${'x'.repeat(999)}\n`;
    for (let sent = 0; sent < 200; sent += 1) blocks.write(line);
    expect(written.length).toBeGreaterThan(1);
    expect(written.length).toBeLessThan(5);
    blocks.flushSync();
    expect(written.join('')).toBe(line.repeat(200));
  });

  it('wait for no further line', async () => {
    const { blocks, written } = openBlocks();
    blocks.write('alone\n');
    expect(written).toEqual([]);
    for (let waits = 0; written.length === 0 && waits < 100; waits += 1) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(written).toEqual(['alone\n']);
  });

  it('are on their way before a flush returns, and the destination is asked to write them', () => {
    const { blocks, written, waited } = openBlocks();
    blocks.write('last words\n');
    blocks.flushSync();
    expect([written, waited()]).toEqual([['last words\n'], 1]);
  });
});
