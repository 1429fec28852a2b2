import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { metrics_content_type, metricsText } from './metrics.js';
import { Readiness, type ReadinessChecks } from './readiness.js';

/**
 * `/healthz`, `/readyz` and `/metrics` for an app that serves nothing else: 200 while alive, 200 or
 * 503 by its checks, each named in the body, and the metrics of this process. Answers with the port
 * it took and a way to stop.
 */
export async function startProbeServer(
  port: number,
  host: string,
  checks: ReadinessChecks,
): Promise<{ readonly port: number; readonly stop: () => Promise<void> }> {
  const readiness = new Readiness(checks);
  const server = createServer((request, response) => {
    const send = ({ status, type, text }: ProbeAnswer) => {
      response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' });
      response.end(text);
    };
    // A gauge that cannot be read costs its scraper an answer, and nobody the process.
    answerTo(request.url, readiness).then(send, () => send(json(500, { error: 'failed' })));
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

async function answerTo(url: string | undefined, readiness: Readiness): Promise<ProbeAnswer> {
  switch (url?.split('?', 1)[0]) {
    case '/healthz':
      return json(200, { alive: true });
    case '/readyz': {
      const report = await readiness.report();
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

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
