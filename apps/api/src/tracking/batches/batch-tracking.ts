import type { TrackingPrincipal } from '#postgres/organizations/directory-store.js';
import { toBatchAnswer } from '../tracking-answers.js';
import { type Handling, TrackEvents, type TrackEventsHandler } from '../track-events.command.js';
import { toBatchJson } from './batch-json.js';
import type { BatchReader } from './batch-reader.js';

/** A batch as it arrived. */
export interface BatchRequest {
  readonly principal: TrackingPrincipal;
  readonly body: Uint8Array;
  readonly contentType: string | null;
  readonly handling: Handling;
  readonly traceparent: string | null;
}

export interface BatchAnswer {
  readonly status: number;
  /** Events in the batch. */
  readonly received: number;
  /** JSON, UTF-8. */
  readonly body: Uint8Array;
}

/** Takes a batch from its bytes to the bytes of the answer. */
export class BatchTracking {
  constructor(
    private readonly reader: BatchReader,
    private readonly events: TrackEventsHandler,
  ) {}

  /** @throws ProblemError when nothing of a strict batch, or none of a lenient one, is stored. */
  async track(request: BatchRequest): Promise<BatchAnswer> {
    const { principal, handling, traceparent } = request;
    const events = this.reader.read(
      Buffer.from(request.body.buffer, request.body.byteOffset, request.body.byteLength),
      request.contentType,
    );
    const command = new TrackEvents(principal, events, handling, traceparent);
    const { status, body } = toBatchAnswer(await this.events.execute(command), handling);
    return { status, received: events.length, body: Buffer.from(toBatchJson(body)) };
  }
}
