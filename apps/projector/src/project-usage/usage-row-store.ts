import type { Clickhouse } from '#clickhouse/clickhouse.js';
import type { ErasureLedger } from '#postgres/erasures/erasure-ledger.js';
import { PersonalRows } from '#read-models/personal/personal-rows.js';
import { insert_usage_events } from '#read-models/usage-events/usage-events.projection.js';

/** One row in the format of the insert, and whose it is. */
export interface UsageRow {
  readonly devKey: string;
  readonly line: string;
}

/** Stores rows of events, and none of a developer who was erased. */
export class UsageRowStore {
  constructor(
    private readonly clickhouse: Clickhouse,
    private readonly erasures: ErasureLedger,
  ) {}

  /**
   * Inserts the rows that may be stored. An erasure deletes only after it is in the ledger: rows
   * of one that was not there before the insert and is there after it may have come too late for
   * that deletion, so they are deleted here.
   */
  async insert(rows: readonly UsageRow[]): Promise<void> {
    await this.erasures.refresh();
    const kept = rows.filter(({ devKey }) => !this.erasures.hasKey(devKey));
    if (kept.length === 0) return;
    await this.clickhouse.insert(insert_usage_events, [kept.map(({ line }) => line).join('')]);
    if (!(await this.erasures.refresh())) return;
    const late = new Set(kept.map(({ devKey }) => devKey).filter((k) => this.erasures.hasKey(k)));
    if (late.size > 0) await new PersonalRows(this.clickhouse).erase([...late]);
  }
}
