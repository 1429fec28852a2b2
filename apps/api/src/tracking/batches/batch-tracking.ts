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
  /** Under which failures are logged. */
  readonly requestId: string;
}

export interface BatchAnswer {
  readonly status: number;
  /** Events in the batch. */
  readonly received: number;
  /** JSON, UTF-8. */
  readonly body: Uint8Array<ArrayBuffer>;
}

/** Takes a batch from its bytes to the bytes of the answer. */
export class BatchTracking {
  constructor(
    private readonly reader: BatchReader,
    private readonly events: TrackEventsHandler,
  ) {}

  /** @throws ProblemError when nothing of a strict batch, or none of a lenient one, is stored. */
  async track(request: BatchRequest): Promise<BatchAnswer> {
    const items = await this.events.execute(this.toCommand(request));
    const { status, body } = toBatchAnswer(items, request.handling);
    return { status, received: items.length, body: toBatchJson(body) };
  }

  private toCommand(request: BatchRequest): TrackEvents {
    const { principal, body, contentType, handling, traceparent } = request;
    const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
    const events = this.reader.read(bytes, contentType, handling);
    return new TrackEvents(principal, events, handling, traceparent);
  }
}
