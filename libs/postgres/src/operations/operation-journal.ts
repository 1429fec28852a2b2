import { setTimeout as pause } from 'node:timers/promises';
import type { DataSource, EntityManager } from 'typeorm';
import type { OperationEntry, OperationRequest, OperationState } from './operation.js';
import { OperationRun } from './operation-run.js';

/** Tells turns from whatever else is hashed into an advisory lock. */
const turn_seed = 7_305_003;
const turn_poll_ms = 100;
/** The server notices within moments that a killed process has gone, and frees its turn. */
const turn_polls_max = 10;

const entry_columns = `
  id, command, arguments, plan, requested_by as "requestedBy", state, checkpoint, result,
  started_at as "startedAt", updated_at as "updatedAt", completed_at as "completedAt",
  state = 'running' and exists (
    select from pg_locks
    where locktype = 'advisory' and granted and objsubid = 1
      and (classid::bigint << 32) | objid::bigint = hashtextextended(turn, ${turn_seed})
      and database = (select oid from pg_database where datname = current_database())) as live`;

/** Turn of a request: `$1` as it names it, else by command `$2` and arguments `$3`. */
const turn_of_request = `coalesce($1, $2 || ' ' || ($3::jsonb)::text)`;
const turn_key = `hashtextextended(${turn_of_request}, ${turn_seed})`;

export type Turn<Result> =
  { readonly kind: 'done'; readonly result: Result } | { readonly kind: 'busy' };

export interface EntryFilter {
  readonly command?: string | undefined;
  readonly state?: OperationState | undefined;
  readonly limit: number;
}

/** What operators did and are doing: the audit, and what an interrupted command continues from. */
export class OperationJournal {
  constructor(private readonly database: DataSource) {}

  /** The operation of the same command and arguments that has not come to its end, or null. */
  unfinished(request: OperationRequest): Promise<OperationEntry | null> {
    return unfinishedOf(this.database.manager, request);
  }

  /** Newest first. */
  list({ command, state, limit }: EntryFilter): Promise<readonly OperationEntry[]> {
    return this.database.query<OperationEntry[]>(
      `select ${entry_columns} from operation
       where ($1::text is null or command = $1) and ($2::text is null or state = $2)
       order by started_at desc, id limit $3`,
      [command ?? null, state ?? null, limit],
    );
  }

  async find(id: string): Promise<OperationEntry | null> {
    const rows = await this.database.query<OperationEntry[]>(
      `select ${entry_columns} from operation where id = $1`,
      [id],
    );
    return rows[0] ?? null;
  }

  /** Ends an unfinished operation where it stands; false when there is none of this id. */
  async cancel(id: string, cancelledBy: string): Promise<boolean> {
    const [rows] = await this.database.query<[unknown[], number]>(
      `update operation set state = 'cancelled',
         result = jsonb_build_object('cancelledBy', $2::text),
         updated_at = clock_timestamp(), completed_at = clock_timestamp()
       where id = $1 and completed_at is null returning id`,
      [id, cancelledBy],
    );
    return rows.length > 0;
  }

  /**
   * Runs `work` while no other process has the turn of the request, on the connection that holds
   * it: when that connection is lost, so is the turn, and whatever `work` still writes into the
   * journal fails. `busy` when another process has the turn.
   *
   * `work` is given the unfinished operation of the request, or a new one with the plan it makes.
   */
  async inTurn<Result>(
    request: OperationRequest,
    plan: () => Promise<object>,
    work: (run: OperationRun) => Promise<Result>,
  ): Promise<Turn<Result>> {
    const runner = this.database.createQueryRunner();
    const key = [request.turn ?? null, request.command, JSON.stringify(request.arguments)];
    try {
      if (!(await takeTurn(runner.manager, key))) return { kind: 'busy' };
      try {
        const earlier = await unfinishedOf(runner.manager, request);
        const entry = earlier ?? (await begin(runner.manager, request, key, await plan()));
        const run = new OperationRun(runner.manager, entry, earlier !== null);
        await run.start();
        return { kind: 'done', result: await work(run) };
      } finally {
        // A lost connection has given up its turn already.
        await runner.query(`select pg_advisory_unlock(${turn_key})`, key).catch(() => undefined);
      }
    } finally {
      await runner.release();
    }
  }
}

async function takeTurn(manager: EntityManager, key: readonly unknown[]): Promise<boolean> {
  for (let poll = 0; poll < turn_polls_max; poll += 1) {
    const [row] = await manager.query<{ held: boolean }[]>(
      `select pg_try_advisory_lock(${turn_key}) as held`,
      [...key],
    );
    if (row?.held === true) return true;
    await pause(turn_poll_ms);
  }
  return false;
}

async function unfinishedOf(
  manager: EntityManager,
  { command, arguments: given }: OperationRequest,
): Promise<OperationEntry | null> {
  const rows = await manager.query<OperationEntry[]>(
    `select ${entry_columns} from operation
     where command = $1 and arguments = $2::jsonb and completed_at is null`,
    [command, JSON.stringify(given)],
  );
  return rows[0] ?? null;
}

async function begin(
  manager: EntityManager,
  { requestedBy }: OperationRequest,
  key: readonly unknown[],
  plan: object,
): Promise<OperationEntry> {
  const rows = await manager.query<OperationEntry[]>(
    `insert into operation (turn, command, arguments, plan, requested_by)
     values (${turn_of_request}, $2, $3::jsonb, $4::jsonb, $5) returning ${entry_columns}`,
    [...key, JSON.stringify(plan), requestedBy],
  );
  return rows[0]!;
}
