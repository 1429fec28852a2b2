import { pino, type Logger } from 'pino';

export type { Logger } from 'pino';

/** A JSON logger on standard output, tagged with the room it speaks for. */
export function createLogger(app: string, level: string): Logger {
  return pino({
    name: app,
    level,
    base: { app },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: ['req.headers.authorization', 'req.headers.cookie', '*.authorization', '*.password'],
      censor: '[redacted]',
    },
  });
}
