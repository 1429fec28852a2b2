import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StandaloneRun, until } from './standalone-run.js';

interface Row {
  readonly rank: number | null;
  readonly status: string;
  readonly tool: { readonly slug: string };
  readonly evidence: readonly { readonly label: string }[];
}

let folder: string;
let run: StandaloneRun;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'uptake demo '));
  // The first load is cut off, as by a power failure; the next start has to finish it.
  const interrupted = StandaloneRun.begin(folder, { DEMO: 'true' });
  await until('the demo to be loading', () =>
    Promise.resolve(interrupted.printed.includes('loading the demo')),
  );
  await interrupted.end('SIGKILL');
  run = await StandaloneRun.ready(folder, { DEMO: 'true' });
}, 120_000);

afterAll(async () => {
  await run.end('SIGTERM');
  await rm(folder, { recursive: true, force: true });
});

describe('a new data directory', () => {
  it('shows a ranking of sample events, without the tools that too few use', async () => {
    const { baseUrl } = await run.credentials();
    const response = await fetch(`${baseUrl}/api/v1/agent-rank`);
    const { rows } = (await response.json()) as { rows: Row[] };
    const published = rows.filter(({ status }) => status === 'published');
    expect(published).toHaveLength(11);
    expect(published.map(({ rank }) => rank)).toEqual(published.map((_, index) => index + 1));
    const labels = published.flatMap(({ evidence }) => evidence.map(({ label }) => label));
    expect(new Set(labels)).toEqual(new Set(['sample']));
    const withheld = rows.filter(({ status }) => status !== 'published');
    expect(withheld.map(({ tool }) => tool.slug).sort()).toEqual([
      'crawlwick',
      'gridmoss',
      'spanloom',
    ]);
    expect(run.printed).toContain('Top of the ranking (sample events)');
    expect(await readFile(join(folder, 'demo.json'), 'utf8')).toContain('"loaded"');
  });
});
