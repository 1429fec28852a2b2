import type { EntityManager } from 'typeorm';
import {
  stateAfter,
  type VersionState,
  type VersionStep,
} from '#domain/projections/version-state.js';
import type { OffsetVector, ProjectionVersion, VersionVerification } from './projection-version.js';

/** Whether a version took a step; `state` is the one that forbade it, null for no such version. */
export type StepOutcome =
  { readonly kind: 'done' } | { readonly kind: 'refused'; readonly state: VersionState | null };

export interface VersionBegin {
  readonly version: number;
  readonly appVersion: string;
  readonly target: OffsetVector;
  /** Names under which its progress and its stale days are kept; what is there goes. */
  readonly group: string;
  readonly daysModel: string;
}

const done: StepOutcome = { kind: 'done' };

/** The versions of one projection; exactly one of them is live. */
export class ProjectionVersions {
  constructor(
    private readonly manager: EntityManager,
    private readonly projection: string,
  ) {}

  /** The version that epochs are computed from. */
  async live(): Promise<number> {
    const [row] = await this.manager.query<{ version: number }[]>(
      `select version from projection_version where projection = $1 and state = 'live'`,
      [this.projection],
    );
    if (row === undefined) throw new Error(`Projection ${this.projection} has no live version.`);
    return row.version;
  }

  /** Every version there ever was, by number. */
  list(): Promise<ProjectionVersion[]> {
    return this.manager.query<ProjectionVersion[]>(
      `select version, state, app_version as "appVersion", target, verification,
              created_at as "createdAt", cut_over_at as "cutOverAt",
              retained_until as "retainedUntil", tables_dropped_at as "tablesDroppedAt"
       from projection_version where projection = $1 order by version`,
      [this.projection],
    );
  }

  async find(version: number): Promise<ProjectionVersion | null> {
    return (await this.list()).find((known) => known.version === version) ?? null;
  }

  /** The version one would go back to: the one that was live last. */
  async retained(): Promise<ProjectionVersion | null> {
    const retained = (await this.list()).filter(({ state }) => state === 'retained');
    retained.sort((one, other) => Number(other.retainedUntil) - Number(one.retainedUntil));
    return retained[0] ?? null;
  }

  /** Begins to build a version from nothing; its tables are there already, and empty. */
  async begin({ version, appVersion, target, ...names }: VersionBegin): Promise<StepOutcome> {
    return this.manager.transaction(async (transaction) => {
      const state = await this.lock(transaction, version);
      if (stateAfter(state, 'begin') === null) return { kind: 'refused', state };
      await this.forgetProgress(transaction, names);
      await transaction.query(
        `insert into projection_version (projection, version, state, app_version, target)
         values ($1, $2, 'building', $3, $4::jsonb)
         on conflict (projection, version) do update
         set state = excluded.state, app_version = excluded.app_version, target = excluded.target,
             created_at = now(), verification = null, cut_over_at = null, retained_until = null,
             tables_dropped_at = null`,
        [this.projection, version, appVersion, JSON.stringify(target)],
      );
      return done;
    });
  }

  /** Lets the projector feed a version that is built. */
  follow(version: number): Promise<StepOutcome> {
    return this.manager.transaction((transaction) => this.take(transaction, version, 'follow'));
  }

  async storeVerification(version: number, verification: VersionVerification): Promise<void> {
    await this.manager.query(
      `update projection_version set verification = $3::jsonb
       where projection = $1 and version = $2`,
      [this.projection, version, JSON.stringify(verification)],
    );
  }

  /** Makes a version the live one and keeps the one that was, both or neither. */
  async cutOver(version: number, retainedMs: number): Promise<StepOutcome> {
    const live = await this.live();
    return this.exchange(version, (transaction) =>
      this.take(transaction, live, 'give_way', {
        sql: `retained_until = now() + make_interval(secs => $4 / 1000.0)`,
        value: retainedMs,
      }),
    );
  }

  /** Makes a version that is kept the live one again; the one that was follows, unverified. */
  async rollBack(version: number): Promise<StepOutcome> {
    const live = await this.live();
    return this.exchange(version, (transaction) =>
      this.take(transaction, live, 'step_back', { sql: 'verification = null' }),
    );
  }

  /** Ends a version; whoever reads or feeds it stops. Its tables go next. */
  drop(version: number): Promise<StepOutcome> {
    return this.manager.transaction((transaction) => this.take(transaction, version, 'drop'));
  }

  /** Versions whose time is over, and those of which something may be left. */
  async toRemove(): Promise<readonly number[]> {
    const rows = await this.manager.query<{ version: number }[]>(
      `select version from projection_version
       where projection = $1 and (state = 'retained' and retained_until <= now()
                                  or state = 'dropped' and tables_dropped_at is null)
       order by version`,
      [this.projection],
    );
    return rows.map(({ version }) => version);
  }

  /** Says that the tables of a dropped version are gone, and forgets how far it was. */
  async removed(names: Pick<VersionBegin, 'version' | 'group' | 'daysModel'>): Promise<void> {
    await this.manager.transaction(async (transaction) => {
      await this.forgetProgress(transaction, names);
      await transaction.query(
        `update projection_version set tables_dropped_at = now()
         where projection = $1 and version = $2 and state = 'dropped'`,
        [this.projection, names.version],
      );
    });
  }

  private async exchange(
    successor: number,
    makeRoom: (transaction: EntityManager) => Promise<StepOutcome>,
  ): Promise<StepOutcome> {
    return this.manager.transaction(async (transaction) => {
      const state = await this.lock(transaction, successor);
      if (stateAfter(state, 'succeed') === null) return { kind: 'refused', state };
      // First the one that is live: there are never two.
      const made = await makeRoom(transaction);
      if (made.kind === 'refused') throw new Error(`The live version has become ${made.state}.`);
      return this.take(transaction, successor, 'succeed', {
        sql: 'cut_over_at = now(), retained_until = null',
      });
    });
  }

  private async take(
    transaction: EntityManager,
    version: number,
    step: VersionStep,
    also?: { readonly sql: string; readonly value?: number },
  ): Promise<StepOutcome> {
    const state = await this.lock(transaction, version);
    const next = stateAfter(state, step);
    if (next === null) return { kind: 'refused', state };
    const values = [this.projection, version, next];
    await transaction.query(
      `update projection_version set ${also === undefined ? '' : `${also.sql}, `}state = $3
       where projection = $1 and version = $2`,
      also?.value === undefined ? values : [...values, also.value],
    );
    return done;
  }

  private async lock(transaction: EntityManager, version: number): Promise<VersionState | null> {
    const [row] = await transaction.query<{ state: VersionState }[]>(
      `select state from projection_version where projection = $1 and version = $2 for update`,
      [this.projection, version],
    );
    return row?.state ?? null;
  }

  private async forgetProgress(
    transaction: EntityManager,
    { group, daysModel }: Pick<VersionBegin, 'group' | 'daysModel'>,
  ): Promise<void> {
    await transaction.query('delete from projection_checkpoint where projection = $1', [group]);
    await transaction.query('delete from dirty_day where read_model = $1', [daysModel]);
  }
}
