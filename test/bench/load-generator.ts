import { startChild, type Child } from './child.js';
import type { LoadPlan, LoadResult } from './load/load-plan.js';

/** A plan as the rows of the bench write it: whose events are sent is the same for all of them. */
export type LoadRequest = Omit<LoadPlan, 'developers'>;

/** A load generator in a process of its own. */
export class LoadGenerator {
  private constructor(
    private readonly child: Child,
    private readonly developers: number,
  ) {}

  static async start(developers: number): Promise<LoadGenerator> {
    return new LoadGenerator(await startChild('load'), developers);
  }

  /**
   * Runs one plan to its end.
   * @throws Error with the answer when any answer is not the expected one.
   */
  async run(request: LoadRequest): Promise<LoadResult> {
    const plan: LoadPlan = { ...request, developers: this.developers };
    const result = (await this.child.ask(plan)) as LoadResult;
    if (result.wrong > 0) {
      throw new Error(`${plan.url} answered ${result.wrong} times wrong: ${result.firstWrong}`);
    }
    if (result.requests === 0) throw new Error(`${plan.url} answered nothing`);
    return result;
  }

  stop(): Promise<void> {
    return this.child.stop();
  }
}
