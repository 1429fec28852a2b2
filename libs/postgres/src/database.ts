import { setTimeout as pause } from 'node:timers/promises';
import { DataSource, type QueryRunner } from 'typeorm';
import { DirectoryAndKeys1760000000001 } from './migrations/1760000000001-directory-and-keys.js';
import { ClaimsAndIdentities1760000000002 } from './migrations/1760000000002-claims-and-identities.js';
import { Publication1760000000003 } from './migrations/1760000000003-publication.js';
import { KeyRulesAndCampaigns1760000000004 } from './migrations/1760000000004-key-rules-and-campaigns.js';
import { Operations1760000000007 } from './migrations/1760000000007-operations.js';
import { PublicationAttempts1760000000008 } from './migrations/1760000000008-publication-attempts.js';
import { ProjectionVersions1760000000009 } from './migrations/1760000000009-projection-versions.js';
import { ClaimGroups1760000000010 } from './migrations/1760000000010-claim-groups.js';
import { DirectoryRevision1760000000011 } from './migrations/1760000000011-directory-revision.js';
import { RateLimits1760000000005 } from './migrations/1760000000005-rate-limits.js';
import { LinksAndErasures1760000000006 } from './migrations/1760000000006-links-and-erasures.js';
import { CampaignRecord } from './organizations/campaign.record.js';
import { OrganizationDomainRecord } from './organizations/organization-domain.record.js';
import { OrganizationRecord } from './organizations/organization.record.js';
import { ProductPolicyRecord } from './organizations/product-policy.record.js';
import { ProductRecord } from './organizations/product.record.js';
import { ToolRecord } from './organizations/tool.record.js';
import { TrackingKeyRecord } from './organizations/tracking-key.record.js';

/** Every process that opens the database migrates it first; this lock lets one of them do it. */
const migration_lock = 7_305_001;
const migration_wait_ms_max = 120_000;
const migration_poll_ms = 100;

/** An open database; the name other rooms know it by. */
export type Database = DataSource;

export interface DatabaseOptions {
  readonly url: string;
  /** Shown in `pg_stat_activity`. */
  readonly app: string;
  readonly connectionsMax?: number;
}

/** Opens Postgres through TypeORM and brings its schema up to date; the caller destroys it. */
export async function openDatabase(options: DatabaseOptions): Promise<DataSource> {
  const database = new DataSource({
    type: 'postgres',
    url: options.url,
    applicationName: options.app,
    poolSize: options.connectionsMax ?? 4,
    entities: [
      OrganizationRecord,
      OrganizationDomainRecord,
      ToolRecord,
      ProductRecord,
      ProductPolicyRecord,
      CampaignRecord,
      TrackingKeyRecord,
    ],
    migrations: [
      DirectoryAndKeys1760000000001,
      ClaimsAndIdentities1760000000002,
      Publication1760000000003,
      KeyRulesAndCampaigns1760000000004,
      RateLimits1760000000005,
      LinksAndErasures1760000000006,
      Operations1760000000007,
      PublicationAttempts1760000000008,
      ProjectionVersions1760000000009,
      ClaimGroups1760000000010,
      DirectoryRevision1760000000011,
    ],
    migrationsTransactionMode: 'each',
    connectTimeoutMS: 10_000,
    // Server-side limits do not fire when it is the server that hangs.
    extra: { statement_timeout: 30_000, query_timeout: 31_000, keepAlive: true },
    poolErrorHandler: () => {
      // A lost idle connection is replaced by the pool; the next query reports a lasting fault.
    },
  });
  await database.initialize();
  try {
    await migrate(database);
  } catch (error) {
    await database.destroy();
    throw error;
  }
  return database;
}

async function migrate(database: DataSource): Promise<void> {
  const runner = database.createQueryRunner();
  try {
    await takeTurn(runner);
    await database.runMigrations();
  } finally {
    await runner.query('select pg_advisory_unlock($1)', [migration_lock]).catch(() => undefined);
    await runner.release();
  }
}

// Another process may be migrating; it is waited for in short questions, each with an answer.
async function takeTurn(runner: QueryRunner): Promise<void> {
  const end = Date.now() + migration_wait_ms_max;
  for (;;) {
    const [turn] = (await runner.query('select pg_try_advisory_lock($1) as mine', [
      migration_lock,
    ])) as { mine: boolean }[];
    if (turn?.mine === true) return;
    if (Date.now() > end) throw new Error('Another process has been migrating for too long.');
    await pause(migration_poll_ms);
  }
}
