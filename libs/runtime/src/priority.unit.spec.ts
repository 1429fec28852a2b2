import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { text } from 'node:stream/consumers';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from '@jest/globals';

const module = new URL('priority.js', import.meta.url).href;
const on_linux = process.platform === 'linux';
const giving_way = 10;
const lowered = Math.max(getPriority(), giving_way);

/** What a thread posts that runs the text after giving way. */
function inThread(expression: string): Promise<unknown> {
  const program = `import('${module}').then(({ giveWay }) => {
    giveWay();
    require('node:worker_threads').parentPort.postMessage(${expression});
  });`;
  return new Promise((resolve, reject) => {
    const thread = new Worker(program, { eval: true });
    thread.once('message', resolve);
    thread.once('error', reject);
  });
}

/** What a process prints that runs the text after giving way. */
function inProcess(expression: string, detached: boolean): Promise<string> {
  const program = `import('${module}').then(({ giveWay }) => {
    giveWay();
    console.log(${expression});
  });`;
  const stdio = ['ignore', 'pipe', 'inherit'] as const;
  const child = spawn(process.execPath, ['-e', program], { detached, stdio: [...stdio] });
  return text(child.stdout);
}

const own = `require('node:os').getPriority()`;
const session = `require('node:fs').readFileSync('/proc/self/autogroup', 'utf8')`;

describe('giving way', () => {
  it('lowers the priority of the thread that asks, where that can be, and no other', async () => {
    const before = getPriority();
    expect(await inThread(own)).toBe(on_linux ? lowered : before);
    expect(getPriority()).toBe(before);
  });

  it('lowers the priority of all threads of a process', async () => {
    const threads = `require('node:fs').readdirSync('/proc/self/task')
      .map((thread) => require('node:os').getPriority(Number(thread))).join()`;
    const priorities = (await inProcess(on_linux ? threads : own, false)).trim().split(',');
    expect(new Set(priorities)).toEqual(new Set([String(lowered)]));
  });

  it('lowers the session of a process that leads one, and no other', async () => {
    if (!existsSync('/proc/self/autogroup')) return;
    expect(await inProcess(session, true)).toContain(`nice ${giving_way}`);
    // Empty where sessions do not share the cores.
    const own = readFileSync('/proc/self/autogroup', 'utf8');
    expect(await inProcess(session, false)).toBe(`${own}\n`);
  });
});
