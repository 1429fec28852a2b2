import type { DataSource } from 'typeorm';
import { unsignedKey } from '../identities/dev-key.js';
import type { DeveloperHashes } from '../identities/identity-registry.js';
import { askByName } from '../named-statement.js';

/** Erasures read by one query. */
const page_erasures_max = 1_000;

interface ErasureRow {
  readonly version: string;
  /** Null while the erasure runs. */
  readonly completed_at: Date | null;
  readonly hashes: readonly string[];
  readonly keys: readonly string[];
}

// Twice a batch, and nearly always without an answer: planning it each time would be all it costs.
const read_erasures = {
  name: 'read-erasures',
  text: `
  select version::text as version, completed_at,
    array(select encode(identity_hash, 'hex') from erased_identity
          where erasure_id = erasure.id) as hashes,
    array(select dev_key::text from erased_key where erasure_id = erasure.id) as keys
  from erasure where version > $1 order by version limit $2`,
};

/**
 * What was erased, remembered in this process. `refresh` before a piece of work and after it: what
 * it answers the second time says whether the work was done with an old list. Memory: some 150
 * bytes for each erased hash and key.
 */
export class ErasureLedger {
  private version = '0';
  /** Hash → the last moment, in epoch milliseconds, whose events are erased. */
  private readonly erasedUntil = new Map<string, number>();
  private readonly keys = new Set<string>();

  constructor(private readonly database: DataSource) {}

  /** Reads what was written since the last time; false when there was nothing. */
  async refresh(): Promise<boolean> {
    let changed = false;
    for (;;) {
      const rows = await this.read();
      for (const row of rows) this.remember(row);
      changed ||= rows.length > 0;
      if (rows.length < page_erasures_max) return changed;
    }
  }

  /**
   * Whether an event of these hashes, received then, belongs to an erased developer. One that is
   * received after the erasure belongs to somebody new; while an erasure runs, nothing does.
   */
  covers({ developerHash, emailHash }: DeveloperHashes, receivedAt: number): boolean {
    if (this.erasedUntil.size === 0) return false;
    return [developerHash, emailHash].some(
      (hash) => hash !== null && receivedAt <= (this.erasedUntil.get(hash) ?? -Infinity),
    );
  }

  /** Whether rows under this key are erased; such a key is nobody's again. */
  hasKey(devKey: string): boolean {
    return this.keys.has(devKey);
  }

  private read(): Promise<ErasureRow[]> {
    return askByName<ErasureRow>(this.database, read_erasures, [this.version, page_erasures_max]);
  }

  private remember({ version, completed_at, hashes, keys }: ErasureRow): void {
    this.version = version;
    for (const hash of hashes) this.erasedUntil.set(hash, completed_at?.getTime() ?? Infinity);
    for (const key of keys) this.keys.add(unsignedKey(key));
  }
}
