import { type DynamicModule, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import type { EventLog } from '#event-log/event-log.js';
import { ClaimLedger } from '#postgres/claims/claim-ledger.js';
import type { DirectoryStore } from '#postgres/organizations/directory-store.js';
import { MappingDirectories } from '#postgres/organizations/mapping-directories.js';
import type { UptakeConfig } from '#runtime/config.js';
import { TrackingKeys } from '../credentials/tracking-keys.js';
import { BatchReader } from './batch-reader.js';
import { ClaimGroupCommit } from './claim-group-commit.js';
import { DryRunEventHandler } from './dry-run-event.query.js';
import { ReceptionDesk } from './reception-desk.js';
import { TrackEventsHandler } from './track-events.command.js';
import { TrackingController } from './tracking.controller.js';

export interface TrackingStores {
  readonly config: UptakeConfig;
  readonly directory: DirectoryStore;
  readonly ledger: ClaimLedger;
  readonly log: EventLog;
}

/** Everything that takes usage events in. */
@Module({})
export class TrackingModule {
  static over({ config, directory, ledger, log }: TrackingStores): DynamicModule {
    const groups = new ClaimGroupCommit(
      { ledger, log, appendDeadlineMs: config.appendDeadlineMs },
      {
        groupEventsMax: config.claimGroupEventsMax,
        groupsInFlightMax: config.claimGroupsInFlightMax,
        queueEventsMax: config.claimQueueEventsMax,
      },
    );
    return {
      module: TrackingModule,
      imports: [CqrsModule.forRoot()],
      controllers: [TrackingController],
      providers: [
        { provide: ClaimLedger, useValue: ledger },
        { provide: TrackingKeys, useValue: new TrackingKeys(directory) },
        {
          provide: ReceptionDesk,
          useValue: new ReceptionDesk(config, new MappingDirectories(directory)),
        },
        { provide: ClaimGroupCommit, useValue: groups },
        { provide: BatchReader, useValue: new BatchReader(config.batchEventsMax) },
        TrackEventsHandler,
        DryRunEventHandler,
      ],
      exports: [ClaimGroupCommit],
    };
  }
}
