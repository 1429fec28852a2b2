import { getPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from '@jest/globals';

const onLinux = process.platform === 'linux' ? it : it.skip;
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
  onLinux('lowers the priority of the thread that asks for it, and of no other', async () => {
    const before = getPriority();
    const module = new URL('priority.js', import.meta.url).href;
    const priority = await inThread<number>(`
      import('${module}').then(({ giveWay }) => {
        giveWay();
        require('node:worker_threads').parentPort.postMessage(require('node:os').getPriority());
      });`);
    expect(priority).toBe(Math.max(before, giving_way));
    expect(getPriority()).toBe(before);
  });
});
