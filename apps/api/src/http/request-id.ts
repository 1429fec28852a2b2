import type { IncomingMessage } from 'node:http';
import { uuidv7 } from '#domain/text/uuidv7.js';

const sent_pattern = /^[A-Za-z0-9._-]{8,128}$/;

/** The id of a request: the caller's own when it is well formed, else a new one. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const sent = headers['x-request-id'];
  return typeof sent === 'string' && sent_pattern.test(sent) ? sent : uuidv7();
}
