import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { BatchLanes } from './batch-lanes.js';
import { BatchTracking, type BatchAnswer, type BatchRequest } from './batch-tracking.js';

/** Bodies from this size on are worth handing to a lane; about thirty events. */
const lane_bytes_min = 16 * 1024;

/** Store a batch of events, from its received bytes to the bytes of the answer. */
export class TrackBatch extends Command<BatchAnswer> {
  constructor(readonly request: BatchRequest) {
    super();
  }
}

/** Large batches leave the event loop, so that they do not hold up single events. */
@CommandHandler(TrackBatch)
export class TrackBatchHandler implements ICommandHandler<TrackBatch> {
  constructor(
    private readonly lanes: BatchLanes,
    private readonly here: BatchTracking,
  ) {}

  execute({ request }: TrackBatch): Promise<BatchAnswer> {
    const large = request.body.length >= lane_bytes_min;
    return large && this.lanes.open ? this.lanes.track(request) : this.here.track(request);
  }
}
