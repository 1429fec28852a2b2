import { pino, type DestinationStream, type Logger } from 'pino';

export type { Logger } from 'pino';

/** A JSON logger on standard output unless `to` says else, tagged with the room it speaks for. */
export function createLogger(app: string, level: string, to?: DestinationStream): Logger {
  const options = {
    name: app,
    level,
    base: { app },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: ['req.headers.authorization', 'req.headers.cookie', '*.authorization', '*.password'],
      censor: '[redacted]',
    },
  };
  return to === undefined ? pino(options) : pino(options, to);
}
