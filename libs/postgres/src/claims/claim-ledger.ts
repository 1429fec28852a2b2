import { Pool, type PoolClient } from 'pg';
import type { Claim } from '#domain/claims/claim.js';
import { toClaimArrays } from './claim-arrays.js';

export interface ClaimLedgerOptions {
  readonly databaseUrl: string;
  readonly app: string;
  readonly connectionsMax: number;
}

/** Longest wait for another transaction's claim on the same event, in milliseconds. */
const lock_wait_ms_max = 3000;
/** How long an open claim transaction may wait for the log before Postgres ends it. */
const idle_in_transaction_ms_max = 8000;
const statement_ms_max = 5000;
const silence_ms_max = 5500;
/** Names that one statement forgets, so that none takes long. */
const groups_deleted_max = 20_000;

/**
 * Plans are made once, for any number of claims, and go through the index: a plan that was made
 * while the ledger was small would read all of it later.
 */
const planning =
  '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off' +
  ' -c enable_hashjoin=off -c enable_mergejoin=off';

// The group is named by the statement that claims, or by none. The columns are taken apart in the
// target list, because what stands in `from` is written down before it is read.
const insert_sql = `
  with named as (
    insert into claim_group (group_id) select $6::uuid where $6::uuid is not null
    on conflict (group_id) do nothing
  )
  insert into idempotency_claim
    (event_id, organization_id, payload_hash, field_hashes, received_at)
  select unnest($1::uuid[]), unnest($2::uuid[]), unnest($3::bytea[]), unnest($4::bytea[]),
    unnest($5::timestamptz[])
  on conflict (event_id) do nothing`;

const find_sql = `
  select event_id, organization_id, payload_hash, field_hashes,
    (extract(epoch from received_at) * 1000)::float8 as received_at
  from idempotency_claim
  where event_id = any($1::uuid[])`;

// Rows that this very transaction inserted carry its id; all others were there before.
const probe_sql = `${find_sql} and xmin <> pg_current_xact_id()::xid`;

const compare_sql = `
  select offered.event_id, held.organization_id, held.payload_hash, held.field_hashes,
    (extract(epoch from held.received_at) * 1000)::float8 as received_at
  from (
    select unnest($1::uuid[]) as event_id, unnest($2::bytea[]) as payload_hash,
      unnest($3::timestamptz[]) as received_at
  ) offered
  left join idempotency_claim held on held.event_id = offered.event_id
  where held.event_id is null
    or held.payload_hash <> offered.payload_hash or held.received_at <> offered.received_at`;

interface ClaimRow {
  readonly event_id: string;
  readonly organization_id: string;
  readonly payload_hash: Buffer;
  readonly field_hashes: Buffer;
  readonly received_at: number;
}

/** A row of the comparison; no claim holds the id when the rest is null. */
type ComparedRow = ClaimRow | { readonly event_id: string; readonly payload_hash: null };

/** Where the ledger says something else than the claims it was compared with, by event id. */
export interface ClaimDifferences {
  /** Ids that no committed claim holds. */
  readonly free: ReadonlySet<string>;
  /** Committed claims with another content or another time of receipt. */
  readonly held: ReadonlyMap<string, Claim>;
}

/**
 * The ledger of idempotency claims: at most one claim per event id, for ever. An index of the log:
 * a committed claim implies that its event is in the log (invariant I1).
 */
export class ClaimLedger {
  private readonly pool: Pool;

  constructor(options: ClaimLedgerOptions) {
    this.pool = new Pool({
      connectionString: options.databaseUrl,
      application_name: options.app,
      max: options.connectionsMax,
      connectionTimeoutMillis: lock_wait_ms_max,
      // Server-side limits do not fire when it is the server that hangs.
      query_timeout: silence_ms_max,
      keepAlive: true,
      options:
        `-c lock_timeout=${lock_wait_ms_max} -c statement_timeout=${statement_ms_max}` +
        ` -c idle_in_transaction_session_timeout=${idle_in_transaction_ms_max} ${planning}`,
    });
    // A lost idle connection is replaced; whoever needs one next learns of a lasting fault.
    this.pool.on('error', () => undefined);
  }

  /**
   * Runs `work` in one transaction and commits it; a throw of `work` rolls everything back. When
   * the commit itself fails its outcome is unknown, and the error says nothing else.
   */
  async transaction<T>(work: (open: ClaimTransaction) => Promise<T>): Promise<T> {
    const client = await this.pool.connect();
    let lost: Error | undefined;
    const onError = (error: Error) => {
      lost = error;
    };
    client.on('error', onError);
    try {
      await client.query('begin');
      const answer = await work(new ClaimTransaction(client));
      await client.query('commit');
      return answer;
    } catch (error) {
      // Postgres rolls back by itself when the connection is gone; a silent one is not asked again.
      if (isSilence(error)) lost = error;
      else
        await client.query('rollback').catch((failure: Error) => {
          lost = failure;
        });
      throw error;
    } finally {
      client.off('error', onError);
      client.release(lost);
    }
  }

  /** The claims among `eventIds` that are committed. */
  async find(eventIds: readonly string[]): Promise<ReadonlyMap<string, Claim>> {
    const { rows } = await this.pool.query<ClaimRow>({
      name: 'find-claims',
      text: find_sql,
      values: [eventIds],
    });
    return new Map(rows.map((row) => [row.event_id, fromRow(row)]));
  }

  /**
   * Compares claims with the committed ones of their ids. Reads only, and waits for nobody; what
   * the ledger holds exactly as offered, which is nearly all of it, is not sent back.
   */
  async compare(claims: readonly Claim[]): Promise<ClaimDifferences> {
    const { eventIds, payloadHashes, receivedAt } = toClaimArrays(claims);
    const { rows } = await this.pool.query<ComparedRow>({
      name: 'compare-claims',
      text: compare_sql,
      values: [eventIds, payloadHashes, receivedAt],
    });
    const free = new Set<string>();
    const held = new Map<string, Claim>();
    for (const row of rows) {
      if (row.payload_hash === null) free.add(row.event_id);
      else held.set(row.event_id, fromRow(row));
    }
    return { free, held };
  }

  /**
   * The groups among `groupIds` that are committed: every claim that they won is. A group that is
   * missing is still open, was rolled back, or is so old that its name was forgotten.
   */
  async committedGroups(groupIds: readonly string[]): Promise<ReadonlySet<string>> {
    if (groupIds.length === 0) return new Set();
    const { rows } = await this.pool.query<{ group_id: string }>({
      name: 'committed-groups',
      text: 'select group_id from claim_group where group_id = any($1::uuid[])',
      values: [groupIds],
    });
    return new Set(rows.map(({ group_id }) => group_id));
  }

  /** Forgets the names of groups begun before `time` (epoch milliseconds), not their claims. */
  async forgetGroupsBefore(time: number): Promise<void> {
    const first = firstUuidv7(time);
    for (;;) {
      const { rowCount } = await this.pool.query(
        `delete from claim_group where group_id in (
           select group_id from claim_group where group_id < $1::uuid limit ${groups_deleted_max})`,
        [first],
      );
      if ((rowCount ?? 0) < groups_deleted_max) return;
    }
  }

  async close(): Promise<void> {
    await this.pool.end();
  }
}

/** The server said nothing for so long that the client gave up. */
function isSilence(error: unknown): error is Error {
  return error instanceof Error && error.message === 'Query read timeout';
}

/** An open transaction on the ledger; what it inserted is invisible until it commits. */
export class ClaimTransaction {
  constructor(private readonly client: PoolClient) {}

  /**
   * Claims every id that is free, and answers with the claims that hold the others. Waits for
   * transactions that have one of the ids open. The ids of `claims` must be distinct. `groupId`:
   * the claim group whose name is committed with its claims; see `committedGroups`.
   */
  async insert(
    claims: readonly Claim[],
    groupId: string | null = null,
  ): Promise<ReadonlyMap<string, Claim>> {
    const { rowCount } = await this.client.query({
      name: 'insert-claims',
      text: insert_sql,
      values: [...columnsToInsert(claims), groupId],
    });
    if (rowCount === claims.length) return new Map();
    const { rows } = await this.client.query<ClaimRow>({
      name: 'probe-claims',
      text: probe_sql,
      values: [claims.map(({ eventId }) => eventId)],
    });
    return new Map(rows.map((row) => [row.event_id, fromRow(row)]));
  }

  /** Gives up ids that this transaction inserted. */
  async release(eventIds: readonly string[]): Promise<void> {
    await this.client.query('delete from idempotency_claim where event_id = any($1::uuid[])', [
      eventIds,
    ]);
  }
}

/**
 * Sorted, so that transactions which share ids take them in one order and cannot deadlock; the
 * order of lower-case ids as texts is that of Postgres.
 */
function columnsToInsert(claims: readonly Claim[]): readonly Buffer[] {
  const sorted = [...claims].sort((one, other) => (one.eventId < other.eventId ? -1 : 1));
  const { eventIds, organizationIds, payloadHashes, fieldHashes, receivedAt } =
    toClaimArrays(sorted);
  return [eventIds, organizationIds, payloadHashes, fieldHashes, receivedAt];
}

/** The smallest UUIDv7 of a millisecond. */
function firstUuidv7(time: number): string {
  const digits = time.toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}-7000-8000-000000000000`;
}

function fromRow(row: ClaimRow): Claim {
  return {
    eventId: row.event_id,
    organizationId: row.organization_id,
    payloadHash: row.payload_hash.toString('hex'),
    fieldHashes: row.field_hashes.toString('base64'),
    receivedAt: Math.round(row.received_at),
  };
}
