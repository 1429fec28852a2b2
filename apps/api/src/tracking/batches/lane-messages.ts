import { ProblemError, type ErrorCode, type Finding } from '#domain/errors.js';
import type { MetricFigures } from '#runtime/metrics.js';
import type { BatchAnswer, BatchRequest } from './batch-tracking.js';

/** From the server to a lane. `id` pairs a request with its reply. */
export type ToLane =
  | { readonly kind: 'track'; readonly id: number; readonly request: BatchRequest }
  | { readonly kind: 'metrics' }
  | { readonly kind: 'stop' };

/** From a lane to the server. */
export type FromLane =
  | { readonly kind: 'ready' }
  | { readonly kind: 'metrics'; readonly figures: MetricFigures }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: BatchAnswer }
  | { readonly kind: 'problem'; readonly id: number; readonly problem: SentProblem };

/** A ProblemError on its way between threads, which copy data but not classes. */
export interface SentProblem {
  readonly code: ErrorCode;
  readonly detail: string;
  readonly errors: readonly Finding[];
  readonly members: Readonly<Record<string, unknown>>;
  readonly retryAfterSeconds: number | null;
}

export function toSentProblem(error: unknown): SentProblem {
  if (error instanceof ProblemError) {
    const { code, detail, errors, members, retryAfterSeconds } = error;
    return { code, detail, errors, members, retryAfterSeconds };
  }
  const detail = 'The failure was logged under the request id.';
  return { code: 'internal_error', detail, errors: [], members: {}, retryAfterSeconds: null };
}

export function fromSentProblem(sent: SentProblem): ProblemError {
  const { code, detail, errors, members, retryAfterSeconds } = sent;
  return new ProblemError(code, detail, {
    errors,
    members,
    ...(retryAfterSeconds !== null && { retryAfterSeconds }),
  });
}
