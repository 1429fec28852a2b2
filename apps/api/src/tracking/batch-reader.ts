import { ProblemError } from '#domain/errors.js';
import { asObject, parseJsonBody } from '../http/json-body.js';

/** Reads the body of a batch: `{ "events": [ … ] }`. */
export class BatchReader {
  constructor(private readonly eventsMax: number) {}

  /** @throws ProblemError when there is no such array, or it is empty or too long. */
  read(body: unknown): readonly unknown[] {
    const { events } = asObject(parseJsonBody(body));
    if (!Array.isArray(events)) {
      throw new ProblemError('invalid_body', 'The body must be {"events": [ … ]}.', {
        errors: [{ code: 'invalid_field', pointer: '/events', detail: 'must be an array' }],
      });
    }
    if (events.length === 0) {
      throw new ProblemError('empty_batch', 'events is empty; send at least one event.', {
        errors: [{ code: 'empty_batch', pointer: '/events', detail: 'must not be empty' }],
      });
    }
    if (events.length > this.eventsMax) {
      throw new ProblemError(
        'batch_too_large',
        `The batch has ${events.length} events; at most ${this.eventsMax} are taken at once.`,
        { members: { maximum: this.eventsMax, received: events.length } },
      );
    }
    return events;
  }
}
