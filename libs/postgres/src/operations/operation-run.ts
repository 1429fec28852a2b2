import type { EntityManager } from 'typeorm';
import type { Checkpoint, OperationEntry } from './operation.js';

/** One run of an operation, by the process that has its turn. */
export class OperationRun {
  constructor(
    private readonly manager: EntityManager,
    readonly entry: OperationEntry,
    /** Whether an earlier run began it. */
    readonly resumed: boolean,
  ) {}

  /** Says that it runs, also after it had failed. */
  async start(): Promise<void> {
    await this.write(`state = 'running', result = null`);
  }

  /** To be called once what it describes is durable: the next run begins there. */
  async checkpoint(checkpoint: Checkpoint): Promise<void> {
    await this.write('checkpoint = $2::jsonb', JSON.stringify(checkpoint));
  }

  async complete(result: object): Promise<void> {
    await this.write(
      `state = 'completed', result = $2::jsonb, completed_at = clock_timestamp()`,
      JSON.stringify(result),
    );
  }

  /**
   * It did not get to its end. The same command continues it, unless the failure is `final`: then
   * the same command begins anew.
   */
  async fail(message: string, { final }: { readonly final: boolean }): Promise<void> {
    await this.write(
      `state = 'failed', result = jsonb_build_object('error', $2::text),
       completed_at = case when $3::boolean then clock_timestamp() end`,
      message,
      final,
    );
  }

  private async write(assignments: string, ...values: readonly unknown[]): Promise<void> {
    const [rows] = await this.manager.query<[unknown[], number]>(
      `update operation set ${assignments}, updated_at = clock_timestamp()
       where id = $1 and completed_at is null returning id`,
      [this.entry.id, ...values],
    );
    if (rows.length === 0) throw new OperationCancelledError(this.entry.id);
  }
}

/** Somebody has ended the operation while it ran; what it did so far stays done. */
export class OperationCancelledError extends Error {
  constructor(readonly id: string) {
    super(`Operation ${id} was cancelled while it ran; what it did until then stays done.`);
    this.name = 'OperationCancelledError';
  }
}
