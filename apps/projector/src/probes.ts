import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { projector_limits } from './limits.js';

/** Answers whether one engine can be used; a rejection counts as no. */
export type EngineCheck = () => Promise<boolean>;

export interface Probes {
  readonly port: number;
  readonly close: () => Promise<void>;
}

/**
 * `/healthz` says that the process is alive, `/readyz` names each engine and whether it can be
 * used (503 while any cannot). On loopback only: probes are for the machine that runs us.
 */
export async function openProbes(
  port: number,
  engines: Readonly<Record<string, EngineCheck>>,
): Promise<Probes> {
  const server = createServer((request, response) => {
    void answer(request.url ?? '/', response, engines);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return { port: (server.address() as AddressInfo).port, close: () => close(server) };
}

async function answer(
  url: string,
  response: ServerResponse,
  engines: Readonly<Record<string, EngineCheck>>,
): Promise<void> {
  switch (url.split('?', 1)[0]) {
    case '/healthz':
      return send(response, 200, { status: 'alive' });
    case '/readyz': {
      const states = await Promise.all(
        Object.entries(engines).map(async ([name, check]) => [name, await isUp(check)] as const),
      );
      const ready = states.every(([, up]) => up);
      const named = Object.fromEntries(states.map(([name, up]) => [name, up ? 'up' : 'down']));
      return send(response, ready ? 200 : 503, { status: ready ? 'ready' : 'not_ready', ...named });
    }
    default:
      return send(response, 404, { status: 'not_found' });
  }
}

async function isUp(check: EngineCheck): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, projector_limits.probe_ms_max, false);
  });
  try {
    return await Promise.race([check(), tooLate]);
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(body));
}

function close(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
