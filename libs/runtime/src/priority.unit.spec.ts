import { getPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from '@jest/globals';

const giving_way = 10;

/** Runs the text in a thread of its own and answers what it posts. */
function inThread<Answer>(text: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(text, { eval: true });
    thread.once('message', resolve);
    thread.once('error', reject);
  });
}

describe('giving way', () => {
  it('lowers the priority of the thread that asks, where that can be, and no other', async () => {
    const before = getPriority();
    const module = new URL('priority.js', import.meta.url).href;
    const priority = await inThread<number>(`
      import('${module}').then(({ giveWay }) => {
        giveWay();
        require('node:worker_threads').parentPort.postMessage(require('node:os').getPriority());
      });`);
    // Only Linux knows priorities of threads.
    const lowered = process.platform === 'linux' ? Math.max(before, giving_way) : before;
    expect(priority).toBe(lowered);
    expect(getPriority()).toBe(before);
  });
});
