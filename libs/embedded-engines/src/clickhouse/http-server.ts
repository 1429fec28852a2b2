import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { limits } from '../limits.js';
import { isAuthorized } from './authorization.js';
import type { StatementResult } from './chdb-session.js';
import { toException } from './exception.js';
import { readBody } from './request-body.js';
import type { SessionPool } from './session-pool.js';
import { StatementRefusedError, toStatement, type Statement } from './statement.js';

const gzipped = promisify(gzip);
const compressed_bytes_min = 1024;

interface ServerOptions {
  readonly pool: SessionPool;
  readonly password: string;
  /** Version of the engine, told with every error like ClickHouse does. */
  readonly version: string;
}

/** ClickHouse's HTTP interface, as far as its official client speaks it, over embedded sessions. */
export function createClickHouseServer(options: ServerOptions): Server {
  // Bound parameters travel in the address, and a list of ids is long.
  return createServer({ maxHeaderSize: limits.address_bytes_max }, (request, response) => {
    void answer(options, request, response).catch(() => response.destroy());
  });
}

async function answer(
  options: ServerOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://loopback');
  if (pathname === '/ping') return send(response, 200, Buffer.from('Ok.\n'));
  const queryId = searchParams.get('query_id') || randomUUID();
  response.setHeader('X-ClickHouse-Query-Id', queryId);
  try {
    if (!isAuthorized(request, searchParams, options.password)) {
      const message = 'Authentication failed: password is incorrect or there is no such user.';
      throw new StatementRefusedError(516, 'AUTHENTICATION_FAILED', message);
    }
    const body = await readBody(request, limits.statement_bytes_max);
    const statement = toStatement(searchParams, flat(request.headers), body, queryId);
    await sendResult(request, response, statement, await options.pool.run(statement));
  } catch (error) {
    const exception = toException(error, options.version);
    response.setHeader('X-ClickHouse-Exception-Code', exception.code);
    // The rest of a refused body is read and thrown away, or its sender would not see the answer.
    request.unpipe();
    request.resume();
    send(response, exception.status, Buffer.from(exception.text));
  }
}

async function sendResult(
  request: IncomingMessage,
  response: ServerResponse,
  statement: Statement,
  result: StatementResult,
): Promise<void> {
  const summary = { read_rows: String(result.rowsRead), written_rows: String(result.rowsWritten) };
  response.setHeader('X-ClickHouse-Summary', JSON.stringify(summary));
  response.setHeader('X-ClickHouse-Format', statement.format);
  const wanted = String(request.headers['accept-encoding'] ?? '');
  const body = Buffer.from(result.bytes.buffer, result.bytes.byteOffset, result.bytes.byteLength);
  if (body.length < compressed_bytes_min || !/\bgzip\b/.test(wanted)) {
    return send(response, 200, body);
  }
  response.setHeader('Content-Encoding', 'gzip');
  send(response, 200, await gzipped(body, { level: 1 }));
}

function send(response: ServerResponse, status: number, body: Buffer): void {
  response.statusCode = status;
  response.setHeader('Content-Type', 'text/plain; charset=UTF-8');
  response.setHeader('Content-Length', body.length);
  response.end(body);
}

function flat(headers: IncomingMessage['headers']): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, value?.toString()]),
  );
}
