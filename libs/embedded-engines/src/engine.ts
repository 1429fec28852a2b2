/** Where a line of an engine's own log goes. */
export type LogLine = (line: string) => void;

export interface EngineOptions {
  /** Folder the engine owns alone; made when it is missing. */
  readonly directory: string;
  /** Port on 127.0.0.1; a free one when absent. */
  readonly port?: number;
  readonly log: LogLine;
}

/** A database engine that runs as a child of this process. */
export interface Engine {
  /** Address with credentials, as the official client takes it. */
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** Settles with a sentence when the engine's process has ended, for whatever reason. */
  readonly ended: Promise<string>;
  /** Ends the engine in an orderly way, and by force when that takes too long. */
  stop(): Promise<void>;
}

/** An engine could not be started; the message says why and what to do about it. */
export class EngineStartError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'EngineStartError';
  }
}
