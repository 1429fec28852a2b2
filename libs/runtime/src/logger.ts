import { pino, type DestinationStream, type Logger } from 'pino';
import { LineBlocks } from './line-blocks.js';

export type { Logger } from 'pino';

/** A JSON logger on standard output unless `to` says else, tagged with the room it speaks for. */
export function createLogger(app: string, level: string, to?: DestinationStream): Logger {
  const options = {
    name: app,
    level,
    base: { app },
    timestamp: timeMember,
    serializers: { err: toLoggedError },
    redact: {
      paths: ['req.headers.authorization', 'req.headers.cookie', '*.authorization', '*.password'],
      censor: '[redacted]',
    },
  };
  return pino(options, to ?? standardOutput());
}

function standardOutput(): DestinationStream {
  const lines = new LineBlocks(pino.destination({ dest: 1, sync: false }));
  process.once('exit', () => lines.flushSync());
  return lines;
}

let shownAt = 0;
let shown = '';

/** The time of a line as a member of its JSON; lines of one millisecond share it. */
function timeMember(): string {
  const now = Date.now();
  if (now !== shownAt) {
    shownAt = now;
    shown = `,"time":"${new Date(now).toISOString()}"`;
  }
  return shown;
}

const causes_max = 5;

/**
 * What the log says of an error. Its own members are left out: those of database errors hold the
 * parameters of queries and values of rows.
 */
function toLoggedError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return error;
  const { code } = error as { readonly code?: unknown };
  return {
    type: error.name,
    message: error.message,
    ...(code !== undefined && { code }),
    ...(error.stack !== undefined && { stack: error.stack }),
    ...(error.cause instanceof Error &&
      depth < causes_max && { cause: toLoggedError(error.cause, depth + 1) }),
  };
}
