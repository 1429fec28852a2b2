import {
  IsBoolean,
  IsIn,
  IsInt,
  IsNumber,
  IsOptional,
  IsString,
  IsUrl,
  Matches,
  Max,
  Min,
  MinLength,
} from 'class-validator';
import { PublicationConfig } from './publication-config.js';
import { FromEnv } from './setting.js';

const url_options = { require_tld: false, require_protocol: true };
const page_options = {
  ...url_options,
  protocols: ['http', 'https'],
  disallow_auth: true,
  allow_query_components: false,
  allow_fragments: false,
};
const duration = /^P(?=\d|T\d)(\d+D)?(T(?=\d)(\d+H)?(\d+M)?(\d+(\.\d+)?S)?)?$/;

/**
 * The one definition of every setting: read from the environment once at boot (`load-config.ts`),
 * rendered into `docs/configuration.md` and `.env.example` by `npm run docs`.
 */
export class UptakeConfig extends PublicationConfig {
  @FromEnv({
    env: 'PORT',
    section: 'Server',
    description: 'Port of the HTTP API; 0 takes a free one.',
  })
  @IsInt()
  @Min(0)
  @Max(65_535)
  port: number = 3000;

  @FromEnv({
    env: 'HOST',
    section: 'Server',
    description: 'Address that the HTTP API, and the probes of worker and projector, listen on.',
  })
  @IsString()
  host: string = '127.0.0.1';

  @FromEnv({
    env: 'BASE_URL',
    section: 'Server',
    description: 'Public address of the API, used in links; empty derives it from HOST and PORT.',
  })
  @IsOptional()
  @IsUrl(page_options, {
    message: 'must be a URL (http, https) without user, query and fragment',
  })
  baseUrl?: string;

  @FromEnv({
    env: 'LOG_LEVEL',
    section: 'Server',
    description: 'Least severe level that is logged.',
  })
  @IsIn(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
  logLevel: string = 'info';

  @FromEnv({
    env: 'PROBE_PORT',
    section: 'Server',
    description:
      'Port of probes and metrics of worker and projector; 0 takes a free one, empty opens none ' +
      '(standalone: always none).',
  })
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(65_535)
  probePort?: number;

  @FromEnv({
    env: 'DATA_DIR',
    section: 'Embedded engines',
    description: 'Folder of the embedded engines and of credentials.json (standalone only).',
  })
  @IsString()
  dataDir: string = '.data';

  @FromEnv({
    env: 'DEMO',
    section: 'Embedded engines',
    description: 'Load demonstration events (label "sample") into an empty data directory.',
  })
  @IsBoolean()
  demo: boolean = true;

  @FromEnv({
    env: 'APPS_LEFT_OUT',
    section: 'Embedded engines',
    description: 'Apps that stand still while an operator works on the stores (standalone only).',
  })
  @IsOptional()
  @Matches(/^(api|ingest-worker|projector)(,(api|ingest-worker|projector))*$/, {
    message: 'must be some of api, ingest-worker, projector, separated by commas',
  })
  appsLeftOut?: string;

  @FromEnv({
    env: 'DATABASE_URL',
    section: 'Engines',
    description: 'PostgreSQL address; empty starts the embedded server (standalone only).',
    secret: true,
  })
  @IsOptional()
  @IsUrl(
    { ...url_options, protocols: ['postgres', 'postgresql'] },
    { message: 'must be a URL (postgres, postgresql)' },
  )
  databaseUrl?: string;

  @FromEnv({
    env: 'CLICKHOUSE_URL',
    section: 'Engines',
    description:
      'ClickHouse HTTP address; ?cluster=NAME makes replicated tables; empty starts the embedded ' +
      'engine (standalone only).',
    secret: true,
  })
  @IsOptional()
  @IsUrl(
    { ...url_options, protocols: ['http', 'https'] },
    { message: 'must be a URL (http, https)' },
  )
  clickhouseUrl?: string;

  @FromEnv({
    env: 'KAFKA_BROKERS',
    section: 'Engines',
    description: 'Comma-separated brokers; empty uses the embedded event log in PostgreSQL.',
  })
  @IsOptional()
  @Matches(/^[^\s,:]+:\d+(,[^\s,:]+:\d+)*$/, { message: 'must be host:port[,host:port…]' })
  kafkaBrokers?: string;

  @FromEnv({
    env: 'IDENTITY_PEPPER',
    section: 'Privacy',
    description:
      'Secret key of the developer-identity hashes; never change it once events exist ' +
      '(standalone: made once and kept in DATA_DIR).',
    secret: true,
  })
  @MinLength(32)
  identityPepper!: string;

  @FromEnv({
    env: 'PUBLISH_INTERVAL',
    section: 'Publication',
    description:
      'Least ISO 8601 duration between two epochs; without changes the next one waits for a new ' +
      'day; PT0S publishes on request only (standalone: PT5S).',
  })
  @Matches(duration, { message: 'must be an ISO 8601 duration such as P1D or PT10S' })
  publishInterval: string = 'P1D';

  @FromEnv({
    env: 'BATCH_EVENTS_MAX',
    section: 'Limits',
    description: 'Most events in one batch request.',
  })
  @IsInt()
  @Min(1)
  @Max(10_000)
  batchEventsMax: number = 500;

  @FromEnv({
    env: 'BODY_BYTES_MAX',
    section: 'Limits',
    description: 'Largest request body after decompression, in bytes.',
  })
  @IsInt()
  @Min(1024)
  bodyBytesMax: number = 20 * 1024 * 1024;

  @FromEnv({
    env: 'EVENT_AGE_DAYS_MAX',
    section: 'Limits',
    description: 'Oldest occurredAt that is taken, in days; events are kept for 400.',
  })
  @IsInt()
  @Min(1)
  @Max(400)
  eventAgeDaysMax: number = 400;

  @FromEnv({
    env: 'BATCH_THREADS',
    section: 'Limits',
    description: 'Threads that take large batches off the event loop of the API; 0 has none.',
  })
  @IsInt()
  @Min(0)
  @Max(8)
  batchThreads: number = 1;

  @FromEnv({
    env: 'CLAIM_GROUP_EVENTS_MAX',
    section: 'Limits',
    description: 'Most events that share one claim transaction.',
  })
  @IsInt()
  @Min(1)
  claimGroupEventsMax: number = 1000;

  @FromEnv({
    env: 'CLAIM_GROUPS_IN_FLIGHT_MAX',
    section: 'Limits',
    description: 'Claim transactions one API process runs at once.',
  })
  @IsInt()
  @Min(1)
  @Max(16)
  claimGroupsInFlightMax: number = 2;

  @FromEnv({
    env: 'CLAIM_QUEUE_EVENTS_MAX',
    section: 'Limits',
    description: 'Events waiting for a claim transaction before requests are refused with 503.',
  })
  @IsInt()
  @Min(1)
  claimQueueEventsMax: number = 20_000;

  @FromEnv({
    env: 'IDENTITIES_REMEMBERED_MAX',
    section: 'Limits',
    description: 'Developer hashes that the worker remembers with their keys, at 32 bytes each.',
  })
  @IsInt()
  @Min(1000)
  @Max(100_000_000)
  identitiesRememberedMax: number = 1_000_000;

  @FromEnv({
    env: 'APPEND_DEADLINE_MS',
    section: 'Limits',
    description: 'Longest wait for the log to acknowledge an append, in milliseconds.',
  })
  @IsInt()
  @Min(100)
  @Max(7000)
  appendDeadlineMs: number = 5000;

  @FromEnv({
    env: 'PROJECTION_ROWS_MAX',
    section: 'Limits',
    description: 'Most rows of one insert into the column store.',
  })
  @IsInt()
  @Min(100)
  projectionRowsMax: number = 20_000;

  @FromEnv({
    env: 'PROJECTION_WAIT_MS',
    section: 'Limits',
    description: 'Longest time rows wait for their insert to fill, in milliseconds.',
  })
  @IsInt()
  @Min(0)
  projectionWaitMs: number = 500;

  @FromEnv({
    env: 'QUARANTINE_SHARE_MAX',
    section: 'Limits',
    description:
      'Share of the last 1000 records that worker or projector may set aside; above it they stop.',
  })
  @IsNumber()
  @Min(0)
  @Max(1)
  quarantineShareMax: number = 0.05;
}
