import { ProblemError } from '#domain/errors.js';
import { asObject, parseJsonBody, refuseTooManyValues } from '../../http/json-body.js';
import type { Handling } from '../track-events.command.js';
import { UnreadableEvent } from '../prepare-event.js';

const newline = 0x0a;

/** Reads the body of a batch: `{ "events": [ … ] }`, or one event a line as NDJSON. */
export class BatchReader {
  constructor(private readonly eventsMax: number) {}

  /**
   * The events as they were sent. Of a lenient batch a line that is no JSON is one of them.
   * @throws ProblemError when the body is no batch, or an empty or too long one.
   */
  read(body: Buffer, contentType: string | null, handling: Handling): readonly unknown[] {
    const lines = contentType?.toLowerCase().startsWith('application/x-ndjson') === true;
    const events = lines ? this.fromLines(body, handling) : fromObject(body);
    if (events.length === 0) {
      throw new ProblemError('empty_batch', 'The batch is empty; send at least one event.', {
        errors: [{ code: 'empty_batch', pointer: '/events', detail: 'must not be empty' }],
      });
    }
    if (events.length > this.eventsMax) throw this.tooLarge(`${events.length} events`);
    return events;
  }

  private fromLines(body: Buffer, handling: Handling): readonly unknown[] {
    refuseTooManyValues(body);
    const events: unknown[] = [];
    for (let start = 0; start < body.length;) {
      const found = body.indexOf(newline, start);
      const end = found === -1 ? body.length : found;
      const line = body.subarray(start, end);
      start = end + 1;
      if (isBlank(line)) continue;
      if (events.length === this.eventsMax) throw this.tooLarge(`over ${this.eventsMax} lines`);
      events.push(handling === 'lenient' ? lineOrFault(line) : parseLine(line, events.length));
    }
    return events;
  }

  private tooLarge(size: string): ProblemError {
    const detail = `The batch has ${size}; at most ${this.eventsMax} events are taken at once.`;
    return new ProblemError('batch_too_large', detail, { members: { maximum: this.eventsMax } });
  }
}

function fromObject(body: Buffer): readonly unknown[] {
  const { events } = asObject(parseJsonBody(body));
  if (Array.isArray(events)) return events;
  throw new ProblemError('invalid_body', 'The body must be {"events": [ … ]}.', {
    errors: [{ code: 'invalid_field', pointer: '/events', detail: 'must be an array' }],
  });
}

function isBlank(line: Buffer): boolean {
  return line.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}

function lineOrFault(line: Buffer): unknown {
  try {
    return parseJsonBody(line);
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    const { code, detail } = error;
    return new UnreadableEvent({ code, pointer: '', detail: detail.replace('body', 'line') });
  }
}

function parseLine(line: Buffer, index: number): unknown {
  try {
    return parseJsonBody(line);
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    const pointer = `/events/${index}`;
    throw new ProblemError(error.code, `Event ${index}: ${error.detail}`, {
      errors: [{ code: error.code, pointer, detail: error.detail }],
      members: { ...error.members, index },
    });
  }
}
