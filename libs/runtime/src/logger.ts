import { pino, type DestinationStream, type Logger } from 'pino';

export type { Logger } from 'pino';

/** Lines are written in blocks of this size, in bytes, or after this time. */
const block_bytes = 4096;
const flush_ms = 250;

/** A JSON logger on standard output unless `to` says else, tagged with the room it speaks for. */
export function createLogger(app: string, level: string, to?: DestinationStream): Logger {
  const options = {
    name: app,
    level,
    base: { app },
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: toLoggedError },
    redact: {
      paths: ['req.headers.authorization', 'req.headers.cookie', '*.authorization', '*.password'],
      censor: '[redacted]',
    },
  };
  return pino(options, to ?? standardOutput());
}

/**
 * A system call for every line would cost more than the line. What is buffered is written when the
 * process exits or logs something fatal; kill -9 loses a quarter of a second.
 */
function standardOutput(): DestinationStream {
  return pino.destination({
    dest: 1,
    sync: false,
    minLength: block_bytes,
    periodicFlush: flush_ms,
  });
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
