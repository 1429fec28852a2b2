import type { EntityManager } from 'typeorm';
import { unsignedKey } from '../identities/dev-key.js';
import { lockIdentities } from '../identities/identity-lock.js';

/** What the registry knows of one developer. */
export interface KnownDeveloper {
  /** Hashes of ids and addresses that are this developer. */
  readonly identities: number;
  /** Every key under which rows were written. */
  readonly devKeys: readonly string[];
}

/** An erasure that was begun and is not finished. */
export interface OpenErasure {
  readonly id: string;
  readonly devKeys: readonly string[];
  /** Whether its audit record tells already what was found. */
  readonly counted: boolean;
}

/** The audit record of a completed erasure; it names nobody. */
export interface ErasureRecord {
  readonly id: string;
  readonly requestedBy: string;
  readonly startedAt: Date;
  readonly completedAt: Date;
  readonly counts: {
    /** Hashes of ids and addresses. */
    readonly identities: number;
    /** Keys under which rows were written. */
    readonly keys: number;
    /** By table. */
    readonly rows: Readonly<Record<string, number>>;
  };
}

/** The winning key of the developer, and every key that is an alias of it. */
const keys_of_developer = `
  with known as (
    select coalesce(canonical_key, identity.dev_key) as dev_key
    from developer_identity as identity
    left join developer_alias as alias on alias.dev_key = identity.dev_key
    where identity_hash = decode($1, 'hex'))
  select dev_key from known
  union select dev_key from developer_alias where canonical_key in (select dev_key from known)`;

/** Erasures on the connection of whoever holds the publication lock; one runs at a time. */
export class ErasureDesk {
  constructor(private readonly manager: EntityManager) {}

  /** The developer of a hash, 64 hex digits; null when the registry knows none. */
  async find(hash: string): Promise<KnownDeveloper | null> {
    const keys = await this.manager.query<{ dev_key: string }[]>(
      `select dev_key::text as dev_key from (${keys_of_developer}) as keys order by 1`,
      [hash],
    );
    if (keys.length === 0) return null;
    const [row] = await this.manager.query<{ identities: number }[]>(
      `select count(*)::int as identities from developer_identity
       where dev_key in (${keys_of_developer})`,
      [hash],
    );
    const devKeys = keys.map(({ dev_key }) => unsignedKey(dev_key));
    return { identities: row!.identities, devKeys };
  }

  /** When a hash was erased last; null when it never was. An erasure that runs does not count. */
  async erasedAt(hash: string): Promise<Date | null> {
    const [row] = await this.manager.query<{ at: Date | null }[]>(
      `select max(completed_at) as at from erasure
       join erased_identity on erasure_id = id where identity_hash = decode($1, 'hex')`,
      [hash],
    );
    return row!.at;
  }

  /** Erasures that were begun by a run that did not get to its end, oldest first. */
  async open(): Promise<readonly OpenErasure[]> {
    const rows = await this.manager.query<{ id: string; keys: string[]; counted: boolean }[]>(
      `select id::text as id, counts is not null as counted,
              array(select dev_key::text from erased_key where erasure_id = erasure.id) as keys
       from erasure where completed_at is null order by erasure.id`,
    );
    return rows.map(({ id, keys, counted }) => ({ id, devKeys: keys.map(unsignedKey), counted }));
  }

  /**
   * Writes the ledger and forgets the developer in the registry, both or neither. From here on
   * the clerk drops events of these hashes and the projector drops rows of these keys.
   */
  async begin(hash: string, requestedBy: string): Promise<void> {
    await this.manager.transaction(async (transaction) => {
      await lockIdentities(transaction);
      const [erasure] = await transaction.query<{ id: string }[]>(
        'insert into erasure (requested_by) values ($1) returning id::text as id',
        [requestedBy],
      );
      const id = erasure!.id;
      await transaction.query(
        `insert into erased_key (dev_key, erasure_id)
         select dev_key, $2::bigint from (${keys_of_developer}) as keys`,
        [hash, id],
      );
      await transaction.query(
        `with gone as (
           delete from developer_identity where dev_key in (
             select dev_key from erased_key where erasure_id = $1::bigint)
           returning identity_hash)
         insert into erased_identity (erasure_id, identity_hash)
         select $1::bigint, identity_hash from gone`,
        [id],
      );
      await transaction.query(
        `delete from developer_alias where dev_key in (
           select dev_key from erased_key where erasure_id = $1::bigint)`,
        [id],
      );
    });
  }

  /** Tells the audit record what was found; the first telling stays. */
  async count(id: string, rows: ErasureRecord['counts']['rows']): Promise<void> {
    await this.manager.query(
      `update erasure set counts = jsonb_build_object(
         'identities', (select count(*) from erased_identity where erasure_id = id),
         'keys', (select count(*) from erased_key where erasure_id = id),
         'rows', $2::jsonb)
       where id = $1 and counts is null`,
      [id, rows],
    );
  }

  /**
   * Ends an erasure: what is received from now on belongs to somebody new. A clerk that read the
   * ledger just before it was written may have registered the developer again since; nothing was
   * accepted under that, and it goes here.
   */
  async complete(id: string): Promise<ErasureRecord> {
    return this.manager.transaction(async (transaction) => {
      await lockIdentities(transaction);
      await transaction.query(
        `delete from developer_identity
         where identity_hash in (select identity_hash from erased_identity where erasure_id = $1)
            or dev_key in (select dev_key from erased_key where erasure_id = $1)`,
        [id],
      );
      await transaction.query(
        `update erasure set completed_at = clock_timestamp(), version = nextval('erasure_version')
         where id = $1 and completed_at is null`,
        [id],
      );
      const [record] = await transaction.query<ErasureRecord[]>(
        `select id::text as id, requested_by as "requestedBy", started_at as "startedAt",
                completed_at as "completedAt", counts
         from erasure where id = $1`,
        [id],
      );
      return record!;
    });
  }
}
