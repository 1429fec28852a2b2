/** A piece of the work that is durable by now. */
export interface Step<Place> {
  /** How many units it was. */
  readonly units: number;
  /** Where the next step begins, as JSON keeps it (no bigint, no Date). */
  readonly place: Place;
}

/** What the steps of an operation are told. */
export interface StepContext<Plan, Place> {
  readonly operationId: string;
  /** As it was made when the operation began, by this run or an earlier one. */
  readonly plan: Plan;
  /** Where earlier runs got to; null at the beginning. */
  readonly place: Place | null;
  /** Units that earlier runs did. */
  readonly doneBefore: number;
  /** The largest step that keeps to the rate evenly; a step may well be smaller. */
  readonly stepUnitsMax: number;
  /** Fires when the operator wants to stop: a long step may end early. */
  readonly signal: AbortSignal;
}

/**
 * A command that changes something. `Plan`, `Place` and `Result` are kept as JSON.
 *
 * Order of effects, step by step: a step makes its effect durable, then yields its place, which is
 * written down as the checkpoint. A crash between the two repeats that one step, so a step has to
 * bear being repeated. Nothing is written down of a step that did not yield.
 */
export interface Operation<Plan extends object, Place, Result extends object> {
  /** The words of the command, such as `group reset`. */
  readonly command: string;
  /** What it was given and what would make it another operation; never a secret. */
  readonly arguments: object;
  /** Operations of one turn run one at a time; without one, only the same operation does. */
  readonly turn?: string;
  /** A failure ends it: asked for again, it is planned again instead of continued. */
  readonly allOrNothing?: boolean;
  /** What is counted: `records`, `rows`. */
  readonly unit: string;
  /**
   * Looks at what there is to do, changes nothing, counts first.
   * @throws CommandFailedError when it cannot be done.
   */
  plan(): Promise<Plan>;
  /** Units of the whole plan. */
  total(plan: Plan): number;
  planLines(plan: Plan): readonly string[];
  steps(context: StepContext<Plan, Place>): AsyncGenerator<Step<Place>, Result, void>;
  resultLines(result: Result, plan: Plan): readonly string[];
}

/** Options of every command that changes something. */
export interface OperationOptions {
  readonly execute?: boolean;
  readonly by?: string;
  /** Units per second. */
  readonly rate?: number;
}
