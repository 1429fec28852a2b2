import type { DataSource, EntityManager } from 'typeorm';
import { readAliasesAfter, type DeveloperAlias } from '../identities/developer-aliases.js';
import { ProjectionVersions } from '../projections/projection-versions.js';
import { readCatalogue, type Catalogue } from './catalogue-reader.js';
import { clearDirtyDays, markDirtyDays, readDirtyDays, type DirtyDay } from './dirty-days.js';
import { asOnlyPublisher, type Locked } from './publication-lock.js';
import type { PublicationReport } from './publication-report.js';
import {
  answerRehearsals,
  answerRequests,
  hasOpenRequests,
  openRehearsals,
  openRequests,
} from './publication-requests.js';
import { insertEpoch, latestEpoch, pruneEpochs, type PublishedEpoch } from './published-epochs.js';

/** What becomes true together when an epoch is published. */
export interface EpochPublication {
  readonly epoch: PublishedEpoch;
  readonly readModel: string;
  /** Days that the epoch was computed from, in the versions that were read. */
  readonly computedDays: readonly DirtyDay[];
  /** Requests that it answers. */
  readonly requests: readonly string[];
  /** Epochs below are forgotten. */
  readonly oldestKept: number;
}

/** What only the one publisher may do, on the connection that holds its lock. */
export class PublicationDesk {
  constructor(private readonly manager: EntityManager) {}

  /** Ids of the requests that wait for an epoch. */
  openRequests(): Promise<string[]> {
    return openRequests(this.manager);
  }

  /** Ids of the requests that ask what an epoch would change. */
  openRehearsals(): Promise<string[]> {
    return openRehearsals(this.manager);
  }

  /** Tells who asked what an epoch would change. */
  report(requests: readonly string[], report: PublicationReport): Promise<void> {
    return answerRehearsals(this.manager, requests, report);
  }

  latestEpoch(): Promise<PublishedEpoch | null> {
    return latestEpoch(this.manager);
  }

  /** The version of a projection that this epoch is computed from. */
  liveVersion(projection: string): Promise<number> {
    return new ProjectionVersions(this.manager, projection).live();
  }

  catalogue(): Promise<Catalogue> {
    return readCatalogue(this.manager);
  }

  dirtyDays(readModel: string): Promise<DirtyDay[]> {
    return readDirtyDays(this.manager, readModel);
  }

  markDirtyDays(readModel: string, days: Iterable<string>): Promise<void> {
    return markDirtyDays(this.manager, readModel, days);
  }

  /** Aliases of developers that changed after `version`, at most `limit`, oldest change first. */
  aliasesAfter(version: string, limit: number): Promise<readonly DeveloperAlias[]> {
    return readAliasesAfter(this.manager, version, limit);
  }

  /** Sets the pointer, clears the days, answers the requests: all of it or nothing. */
  async publish(publication: EpochPublication): Promise<void> {
    const { epoch, readModel, computedDays, requests, oldestKept } = publication;
    await this.manager.transaction(async (transaction) => {
      await clearDirtyDays(transaction, readModel, computedDays);
      await insertEpoch(transaction, epoch);
      await answerRequests(transaction, requests, epoch.epoch);
      await pruneEpochs(transaction, oldestKept);
    });
  }
}

/** Published epochs and everything that leads to the next one. */
export class PublicationStore {
  constructor(private readonly database: DataSource) {}

  /** The newest epoch, the only one that public reads show; null before the first. */
  latestEpoch(): Promise<PublishedEpoch | null> {
    return latestEpoch(this.database.manager);
  }

  /** Whether somebody asks for an epoch, or for what it would change. */
  hasOpenRequests(): Promise<boolean> {
    return hasOpenRequests(this.database.manager);
  }

  /** Runs `work` as the only publisher of all processes; `busy` when there is another. */
  asOnlyPublisher<Result>(
    work: (desk: PublicationDesk) => Promise<Result>,
  ): Promise<Locked<Result>> {
    return asOnlyPublisher(this.database, (manager) => work(new PublicationDesk(manager)));
  }
}
