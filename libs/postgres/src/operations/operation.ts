export type OperationState = 'running' | 'completed' | 'failed' | 'cancelled';

/** What an operator asks for. */
export interface OperationRequest {
  /** The words of the command, such as `group reset`. */
  readonly command: string;
  /** What it was given; secrets never stand here. */
  readonly arguments: object;
  readonly requestedBy: string;
  /** Commands of one turn run one at a time; those that name none take turns by their arguments. */
  readonly turn?: string | undefined;
}

/** Where an operation stands: all before it is done and need not be done again. */
export interface Checkpoint {
  readonly done: number;
  /** As the command itself describes it. */
  readonly place: unknown;
}

/** One operation as the journal keeps it. */
export interface OperationEntry {
  readonly id: string;
  readonly command: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly plan: Readonly<Record<string, unknown>>;
  readonly requestedBy: string;
  readonly state: OperationState;
  /** Whether the connection of a process holds its turn now. */
  readonly live: boolean;
  readonly checkpoint: Checkpoint | null;
  readonly result: Readonly<Record<string, unknown>> | null;
  readonly startedAt: Date;
  readonly updatedAt: Date;
  readonly completedAt: Date | null;
}
