import { Client, Pool, type ClientConfig } from 'pg';
import type { EmbeddedLogLimits } from './embedded-log-limits.js';

const application_name = 'uptake-event-log';
/** The client gives the server this much longer, so that the server's own answer comes first. */
const grace_ms = 1_000;

function clientConfig(databaseUrl: string, limits: EmbeddedLogLimits): ClientConfig {
  return {
    connectionString: databaseUrl,
    application_name,
    connectionTimeoutMillis: limits.connectMs,
    statement_timeout: limits.statementMs,
    // The server's timeout does not fire when the server itself hangs.
    query_timeout: limits.statementMs + grace_ms,
    keepAlive: true,
  };
}

/**
 * A pool whose lost connections never reach the process as unhandled errors: whoever runs a query
 * on one gets the rejection, and an idle one is simply replaced.
 */
export function openPool(databaseUrl: string, limits: EmbeddedLogLimits, max: number): Pool {
  const pool = new Pool({ ...clientConfig(databaseUrl, limits), max, idleTimeoutMillis: 30_000 });
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** A connection for one group member; the caller connects it and listens to `error` and `end`. */
export function createMemberClient(databaseUrl: string, limits: EmbeddedLogLimits): Client {
  return new Client({
    ...clientConfig(databaseUrl, limits),
    statement_timeout: limits.sessionTimeoutMs,
    query_timeout: limits.sessionTimeoutMs,
  });
}
