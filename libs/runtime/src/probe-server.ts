import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export type ProbeChecks = Readonly<Record<string, () => Promise<boolean>>>;

const check_ms_max = 2000;

/**
 * `/healthz` and `/readyz` for an app that serves nothing else: 200 while alive, and 200 or 503
 * by its checks, each named in the body. Answers with the port it took and a way to stop.
 */
export async function startProbeServer(
  port: number,
  host: string,
  checks: ProbeChecks,
): Promise<{ readonly port: number; readonly stop: () => Promise<void> }> {
  const server = createServer((request, response) => {
    const answer = (status: number, body: object) => {
      response.writeHead(status, {
        'content-type': 'application/json',
        'cache-control': 'no-store',
      });
      response.end(JSON.stringify(body));
    };
    if (request.url === '/healthz') return answer(200, { alive: true });
    if (request.url !== '/readyz') return answer(404, { error: 'not found' });
    void readiness(checks).then((report) => answer(report.ready ? 200 : 503, report));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return { port: (server.address() as AddressInfo).port, stop: () => closeServer(server) };
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
