import { type DynamicModule, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { ClaimLedger } from '#postgres/claims/claim-ledger.js';
import { TrackingKeys } from '../credentials/tracking-keys.js';
import { BatchLanes } from './batches/batch-lanes.js';
import { BatchTracking } from './batches/batch-tracking.js';
import { TrackBatchHandler } from './batches/track-batch.command.js';
import { ClaimGroupCommit } from './claim-group-commit.js';
import { ClaimLookups } from './claim-lookups.js';
import { DryRunEventHandler } from './dry-run-event.query.js';
import type { OpenTracking } from './open-tracking.js';
import { ReceptionDesk } from './reception-desk.js';
import { TrackEventsHandler } from './track-events.command.js';
import { TrackingController } from './tracking.controller.js';

/** Everything that takes usage events in. */
@Module({})
export class TrackingModule {
  static over(tracking: OpenTracking, lanes: BatchLanes, keys: TrackingKeys): DynamicModule {
    return {
      module: TrackingModule,
      imports: [CqrsModule.forRoot()],
      controllers: [TrackingController],
      providers: [
        { provide: ClaimLedger, useValue: tracking.ledger },
        { provide: TrackingKeys, useValue: keys },
        { provide: ReceptionDesk, useValue: tracking.desk },
        { provide: ClaimGroupCommit, useValue: tracking.groups },
        { provide: ClaimLookups, useValue: tracking.lookups },
        { provide: BatchTracking, useValue: tracking.batches },
        { provide: BatchLanes, useValue: lanes },
        TrackEventsHandler,
        TrackBatchHandler,
        DryRunEventHandler,
      ],
    };
  }
}
