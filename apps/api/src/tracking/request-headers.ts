import type { Handling } from './track-events.command.js';

interface Headers {
  readonly [name: string]: string | readonly string[] | undefined;
}

const traceparent_pattern = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

/** The W3C trace context of a request, when it carries a well-formed one. */
export function traceparentOf(headers: Headers): string | null {
  const sent = headers['traceparent'];
  return typeof sent === 'string' && traceparent_pattern.test(sent) ? sent : null;
}

/** `Prefer: handling=lenient` (RFC 7240) asks for a result per event. */
export function handlingOf(headers: Headers): Handling {
  const preferences = String(headers['prefer'] ?? '').split(/[,;]/);
  return preferences.some((one) => /^\s*handling\s*=\s*"?lenient"?\s*$/i.test(one))
    ? 'lenient'
    : 'strict';
}
