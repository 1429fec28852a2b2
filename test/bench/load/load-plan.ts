/** What a load generator is to send, for how long, and what it must be answered. */
export interface LoadPlan {
  /** Address with path; loopback and plain HTTP. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Events in one request; 0 sends GET without a body. */
  readonly eventsPerRequest: number;
  readonly connections: number;
  readonly seconds: number;
  /** How many developers the events are spread over at random. */
  readonly developers: number;
  /** Requests per second that arrive by the clock; absent: each connection asks again at once. */
  readonly arrivalsPerSecond?: number;
  readonly expected: ExpectedAnswer;
}

export interface ExpectedAnswer {
  readonly status: number;
  /** What the body must begin with, in ASCII. */
  readonly bodyStart: string;
}

/** What came of a plan. Latencies are in milliseconds. */
export interface LoadResult {
  readonly requests: number;
  readonly seconds: number;
  readonly p50: number;
  readonly p99: number;
  /** CPU time of the generator itself. */
  readonly cpuSeconds: number;
  /** Answers that were not the expected one. */
  readonly wrong: number;
  /** The first of the wrong answers. */
  readonly firstWrong: string | null;
}
