import type { Clickhouse } from '#clickhouse/clickhouse.js';
import type { ErasureLedger } from '#postgres/erasures/erasure-ledger.js';
import type { AdoptionTables } from '../adoption-version/adoption-version.js';
import { PersonalRows } from '../personal/personal-rows.js';
import { insert_usage_events } from '../usage-events/usage-events.projection.js';

/** One row in the format of the insert, and whose it is. */
export interface UsageRow {
  readonly devKey: string;
  readonly line: string;
}

/**
 * Stores rows of events in one version, and none of a developer who was erased. The ledger is its
 * own: whoever else asked it for news would take them away from here.
 */
export class UsageRowStore {
  /** Rows that may be stored and of which it is not known yet whether they came too late. */
  private unsettled: readonly UsageRow[] = [];

  constructor(
    private readonly clickhouse: Clickhouse,
    private readonly tables: AdoptionTables,
    private readonly erasures: ErasureLedger,
  ) {}

  /**
   * Inserts the rows that may be stored. An erasure deletes only after it is in the ledger: rows
   * of one that was not there before the insert and is there after it may have come too late for
   * that deletion, so they are deleted here. What fails between the two is made up for before the
   * next rows: when these come again, they are of an erased developer and left out.
   */
  async insert(rows: readonly UsageRow[]): Promise<void> {
    await this.erasures.refresh();
    await this.settle();
    const kept = rows.filter(({ devKey }) => !this.erasures.hasKey(devKey));
    if (kept.length === 0) return;
    const lines = kept.map(({ line }) => line).join('');
    this.unsettled = kept;
    await this.clickhouse.insert(insert_usage_events, [lines], this.tables);
    if (await this.erasures.refresh()) await this.settle();
    this.unsettled = [];
  }

  private async settle(): Promise<void> {
    const late = new Set(
      this.unsettled.map(({ devKey }) => devKey).filter((key) => this.erasures.hasKey(key)),
    );
    if (late.size > 0) await new PersonalRows(this.clickhouse).erase([...late]);
    this.unsettled = [];
  }
}
