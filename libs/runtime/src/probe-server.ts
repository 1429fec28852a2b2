import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { metrics_content_type, metricsText } from './metrics.js';

export type ProbeChecks = Readonly<Record<string, () => Promise<boolean>>>;

const check_ms_max = 2000;

/**
 * `/healthz`, `/readyz` and `/metrics` for an app that serves nothing else: 200 while alive, 200 or
 * 503 by its checks, each named in the body, and the metrics of this process. Answers with the port
 * it took and a way to stop.
 */
export async function startProbeServer(
  port: number,
  host: string,
  checks: ProbeChecks,
): Promise<{ readonly port: number; readonly stop: () => Promise<void> }> {
  const server = createServer((request, response) => {
    void answerTo(request.url, checks).then(({ status, type, text }) => {
      response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' });
      response.end(text);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return { port: (server.address() as AddressInfo).port, stop: () => closeServer(server) };
}

interface ProbeAnswer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

async function answerTo(url: string | undefined, checks: ProbeChecks): Promise<ProbeAnswer> {
  switch (url) {
    case '/healthz':
      return json(200, { alive: true });
    case '/readyz': {
      const report = await readiness(checks);
      return json(report.ready ? 200 : 503, report);
    }
    case '/metrics':
      return { status: 200, type: metrics_content_type, text: await metricsText() };
    case undefined:
    default:
      return json(404, { error: 'not found' });
  }
}

function json(status: number, body: object): ProbeAnswer {
  return { status, type: 'application/json', text: JSON.stringify(body) };
}

async function readiness(checks: ProbeChecks) {
  const results = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => [name, await inTime(check)] as const),
  );
  return { ready: results.every(([, up]) => up), checks: Object.fromEntries(results) };
}

async function inTime(check: () => Promise<boolean>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), check_ms_max);
  });
  try {
    return await Promise.race([check(), late]);
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
