import type { EntityManager } from 'typeorm';
import type { PublicationPolicy } from '#domain/adoption/policy.js';

/** A published snapshot: what the pointer says of the rows in the column store. */
export interface PublishedEpoch {
  /** Counts up by one from 1. */
  readonly epoch: number;
  readonly publishedAt: Date;
  /** The windows end with the UTC day of this time. */
  readonly asOf: Date;
  /** Not before this time; null when epochs are published on request only. */
  readonly nextPublicationAt: Date | null;
  /** Names the rows, and is the same for the same content. */
  readonly checksum: string;
  /** Identifies catalogue and policy under which it was computed. */
  readonly fingerprint: string;
  readonly policyVersion: string;
  readonly policy: PublicationPolicy;
  /** Names the cohorts behind it in the column store; null when there are none to compare with. */
  readonly attempt: string | null;
  /** Series that the attempt handed on. */
  readonly seriesCount: number;
}

interface EpochRow {
  readonly epoch: string;
  readonly published_at: Date;
  readonly as_of: Date;
  readonly next_publication_at: Date | null;
  readonly checksum: string;
  readonly fingerprint: string;
  readonly policy_version: string;
  readonly policy: PublicationPolicy;
  readonly attempt: string | null;
  readonly series_count: number;
}

/** The newest epoch, the only one that public reads show; null before the first. */
export async function latestEpoch(manager: EntityManager): Promise<PublishedEpoch | null> {
  const [row] = await manager.query<EpochRow[]>(
    `select epoch, published_at, as_of, next_publication_at, checksum, fingerprint,
            policy_version, policy, attempt, series_count
     from published_epoch order by epoch desc limit 1`,
  );
  return row === undefined ? null : fromRow(row);
}

/**
 * Points to a snapshot. The number is a primary key: should two publishers ever run at once, the
 * second of them fails here and nothing that was published changes.
 */
export async function insertEpoch(manager: EntityManager, epoch: PublishedEpoch): Promise<void> {
  await manager.query(
    `insert into published_epoch (epoch, published_at, as_of, next_publication_at, checksum,
                                  fingerprint, policy_version, policy, attempt, series_count)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      epoch.epoch,
      epoch.publishedAt,
      epoch.asOf,
      epoch.nextPublicationAt,
      epoch.checksum,
      epoch.fingerprint,
      epoch.policyVersion,
      JSON.stringify(epoch.policy),
      epoch.attempt,
      epoch.seriesCount,
    ],
  );
}

/** Forgets epochs below `oldestKept` and the requests that they answered. */
export async function pruneEpochs(manager: EntityManager, oldestKept: number): Promise<void> {
  await manager.query('delete from published_epoch where epoch < $1', [oldestKept]);
  await manager.query('delete from publication_request where epoch < $1', [oldestKept]);
}

function fromRow(row: EpochRow): PublishedEpoch {
  return {
    epoch: Number(row.epoch),
    publishedAt: row.published_at,
    asOf: row.as_of,
    nextPublicationAt: row.next_publication_at,
    checksum: row.checksum,
    fingerprint: row.fingerprint,
    policyVersion: row.policy_version,
    policy: row.policy,
    attempt: row.attempt,
    seriesCount: row.series_count,
  };
}
