import { isUtf8 } from 'node:buffer';
import { ProblemError } from '#domain/errors.js';
import { jsonFaultAt } from './json-fault.js';
import { countJsonValues } from './json-values.js';

/** Smaller bodies cannot hold enough values to matter. */
const counted_bytes_min = 512 * 1024;
/** Most values of one body: what they unfold into is bounded, whatever the body weighs. */
const json_values_max = 500_000;
/** In longer texts nobody looks for the fault: others would wait for that. */
const located_characters_max = 4 * 1024 * 1024;

/**
 * Parses a received body, once.
 * @throws ProblemError `invalid_json` with the position of the fault, in characters, and
 * `too_many_properties` for a body that would unfold into too many values.
 */
export function parseJsonBody(body: unknown): unknown {
  if (!Buffer.isBuffer(body) || body.length === 0) {
    throw new ProblemError('invalid_json', 'The body is empty; send a JSON object.');
  }
  if (!isUtf8(body)) throw new ProblemError('invalid_json', 'The body is not valid UTF-8.');
  refuseTooManyValues(body);
  const text = body.toString('utf8');
  try {
    return JSON.parse(text);
  } catch (error) {
    if (text.length > located_characters_max) {
      throw new ProblemError('invalid_json', 'The body is not valid JSON.', { cause: error });
    }
    const position = jsonFaultAt(text);
    throw new ProblemError('invalid_json', `The body is not valid JSON at position ${position}.`, {
      members: { position },
      cause: error,
    });
  }
}

/**
 * Refuses a body that would unfold into more than it weighs; a body of several JSON texts counts
 * as a whole.
 * @throws ProblemError `too_many_properties`
 */
export function refuseTooManyValues(body: Buffer): void {
  if (body.length < counted_bytes_min) return;
  if (countJsonValues(body, json_values_max) <= json_values_max) return;
  const detail = `The body holds more than ${json_values_max} values.`;
  throw new ProblemError('too_many_properties', detail, {
    members: { maximum: json_values_max },
  });
}

/** @throws ProblemError `invalid_body` when the value is not a JSON object. */
export function asObject(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Readonly<Record<string, unknown>>;
  }
  throw new ProblemError('invalid_body', 'The body must be a JSON object.', {
    errors: [{ code: 'invalid_field', pointer: '', detail: 'must be an object' }],
  });
}
