import type { Handling } from './track-events.command.js';

interface Headers {
  readonly [name: string]: string | readonly string[] | undefined;
}

/** `Prefer: handling=lenient` (RFC 7240) asks for a result per event. */
export function handlingOf(headers: Headers): Handling {
  const preferences = String(headers['prefer'] ?? '').split(/[,;]/);
  return preferences.some((one) => /^\s*handling\s*=\s*"?lenient"?\s*$/i.test(one))
    ? 'lenient'
    : 'strict';
}
