import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StandaloneRun } from '../standalone/standalone-run.js';
import { publishRanking } from './published-ranking.js';
import { Schemathesis } from './schemathesis.js';

const write = (text: string): void => void process.stdout.write(text);

/** So that all the requests of one client are answered and not counted out. */
const settings = { RATE_LIMIT_PUBLIC_READ: '1000000/60', PUBLISH_INTERVAL: 'PT3S' };

/** Errors that the service logged, to explain a failed run. */
function errorsOf(printed: string): string {
  const lines = printed.split('\n').filter((line) => /"level":(50|60|"error"|"fatal")/.test(line));
  return lines.length === 0 ? '' : `\nlogged by the service:\n${lines.slice(-20).join('\n')}\n`;
}

async function check(folder: string, interrupted: AbortSignal): Promise<number> {
  const schemathesis = await Schemathesis.install(folder, interrupted);
  const service = await StandaloneRun.ready(join(folder, 'installation'), settings);
  try {
    const credentials = await service.credentials();
    await publishRanking(credentials);
    const { baseUrl, organizationTrackingKey } = credentials;
    const more = process.argv.slice(2);
    const code = await schemathesis.run(baseUrl, organizationTrackingKey, more);
    if (code !== 0) write(errorsOf(service.printed));
    return code;
  } finally {
    await service.end('SIGTERM');
  }
}

/**
 * Sends what schemathesis makes of `/openapi.json` to a service that is started for it, and ends
 * with its exit code: `run-schemathesis.main.js [--seed 7] [--max-examples 1000]`, or any other
 * option of `schemathesis run`. Needs Python 3 and PyPI; leaves nothing behind.
 */
async function main(): Promise<number> {
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => interrupted.abort(new Error(`ended by ${signal}`)));
  }
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'uptake-schema-')));
  try {
    return await check(folder, interrupted.signal);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

process.exitCode = await main().catch((error: unknown) => {
  write(`${error instanceof Error ? error.message : String(error)}\n`);
  return 1;
});
