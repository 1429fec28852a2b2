import type { Handling } from './track-events.command.js';

interface Headers {
  readonly [name: string]: string | readonly string[] | undefined;
}

/**
 * `Prefer: handling=lenient` (RFC 7240) asks for a result per event. Of several the first counts.
 */
export function handlingOf(headers: Headers): Handling {
  const preferences = String(headers['prefer'] ?? '').split(/[,;]/);
  const asked = preferences.map((one) => handling.exec(one)?.[1]).find((one) => one !== undefined);
  return asked?.toLowerCase() === 'lenient' ? 'lenient' : 'strict';
}

const handling = /^\s*handling\s*=\s*"?(strict|lenient)"?\s*$/i;
