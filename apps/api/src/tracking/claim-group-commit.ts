import { ProblemError } from '#domain/errors.js';
import { within } from '#runtime/within.js';
import type { ClaimVerdict } from '#domain/claims/judge-claims.js';
import { AnswerDeadline } from './answer-deadline.js';
import type { AppendBreaker } from './append-breaker.js';
import type { StoreRequest } from './claim-group.js';

export interface GroupCommitLimits {
  readonly groupEventsMax: number;
  readonly groupsInFlightMax: number;
  readonly queueEventsMax: number;
  /** Longest wait for an answer, from the moment a request came. */
  readonly answerMsMax: number;
}

/** Events that are worth a claim transaction beside one that runs. */
const events_beside_min = 1000;
/** Longest wait for requests that follow each other, in milliseconds. */
const gather_ms_max = 4;
/** A group that takes longer than this no longer holds up those that come after it. */
const patience_ms = 3;

type Verdicts = readonly ClaimVerdict[];

/** Stores requests together; resolves with the verdicts of each once they are durable. */
type StoreGroup = (requests: readonly StoreRequest[]) => Promise<readonly Verdicts[]>;

interface WaitingRequest {
  readonly request: StoreRequest;
  readonly answer: (verdicts: Verdicts) => void;
  readonly fail: (error: Error) => void;
}

/**
 * Lets concurrent requests share claim transactions: an idle service stores at once, a busy one
 * gathers whatever arrives while the groups in flight are under way, though not behind a slow one,
 * and from turn to turn of the event loop what comes right behind. Nothing waits for a timer when
 * the service is idle.
 */
export class ClaimGroupCommit {
  private readonly waiting: WaitingRequest[] = [];
  private waitingEvents = 0;
  private inFlight = 0;
  /** When the newest group began; see `performance.now`. */
  private begunAt = 0;
  /** A look at what waits is due soon. */
  private looking = false;
  /** Runs while something waits behind a group that may turn out to be slow. */
  private patience: NodeJS.Timeout | null = null;
  private readonly deadline: AnswerDeadline<WaitingRequest>;

  constructor(
    private readonly storeGroup: StoreGroup,
    private readonly breaker: AppendBreaker,
    private readonly limits: GroupCommitLimits,
  ) {
    this.deadline = new AnswerDeadline(limits.answerMsMax, (late) => this.giveUp(late));
  }

  /**
   * Stores one request; resolves once the verdicts are durable.
   * @throws ProblemError `store_uncertain` when the outcome is unknown or not known in time,
   * `overloaded` when the request was not taken on at all.
   */
  store(request: StoreRequest): Promise<Verdicts> {
    const refusedMs = this.breaker.refusedFor(Date.now());
    if (refusedMs > 0) return Promise.reject(unavailable(Math.ceil(refusedMs / 1000)));
    // A request larger than the queue is taken when nothing waits, or it never would be.
    const full = this.waitingEvents + request.events.length > this.limits.queueEventsMax;
    if (full && this.waiting.length > 0) {
      return Promise.reject(
        new ProblemError('overloaded', 'Too many events wait to be stored; nothing was stored.', {
          retryAfterSeconds: 1,
        }),
      );
    }
    return new Promise((answer, fail) => {
      const waiting = { request, answer, fail };
      this.waiting.push(waiting);
      this.waitingEvents += request.events.length;
      this.deadline.add(waiting);
      this.gather();
    });
  }

  /**
   * The same limit of time for a request that has to wait for something else before it is stored.
   * @throws ProblemError `store_uncertain` when it is over.
   */
  inTime<T>(stored: Promise<T>): Promise<T> {
    return within(this.limits.answerMsMax, stored, () => unavailable(1));
  }

  // Whoever was answered together tends to ask again together. As long as each look finds more, the
  // group grows; the first that does not begins it. Between two looks lie two turns of the event
  // loop: what arrives in one is prepared in the next.
  private gather(since = performance.now(), seen = 0): void {
    if (this.looking || this.waiting.length === 0) return;
    this.looking = true;
    const look = (): void => {
      this.looking = false;
      const grown = this.waiting.length > seen;
      if (grown && performance.now() - since < gather_ms_max)
        this.gather(since, this.waiting.length);
      else this.dispatch();
    };
    setImmediate(() => setImmediate(look));
  }

  private dispatch(): void {
    while (this.mayStart()) {
      this.inFlight += 1;
      this.begunAt = performance.now();
      void this.run(this.takeGroup()).finally(() => {
        this.inFlight -= 1;
        this.gather();
      });
    }
    if (this.waiting.length > 0 && this.inFlight < this.limits.groupsInFlightMax) this.lookAgain();
  }

  private lookAgain(): void {
    this.patience ??= setTimeout(() => {
      this.patience = null;
      this.gather();
    }, patience_ms).unref();
  }

  // A group costs the same whatever its size. A second one runs beside it only when it is worth
  // that: small requests gather instead, which makes few groups when the service is busy. When a
  // group waits for its turn at the stores, the next may as well wait beside it; one that offers a
  // key which the slow group holds waits for its lock, as if another instance had offered it.
  private mayStart(): boolean {
    if (this.waiting.length === 0 || this.inFlight >= this.limits.groupsInFlightMax) return false;
    const worth = Math.min(events_beside_min, this.limits.groupEventsMax);
    if (this.inFlight === 0 || this.waitingEvents >= worth) return true;
    return performance.now() - this.begunAt > patience_ms;
  }

  private takeGroup(): readonly WaitingRequest[] {
    let events = 0;
    let count = 0;
    for (const { request } of this.waiting) {
      events += request.events.length;
      if (count > 0 && events > this.limits.groupEventsMax) break;
      count += 1;
    }
    const group = this.waiting.splice(0, count);
    for (const { request } of group) this.waitingEvents -= request.events.length;
    return group;
  }

  private async run(group: readonly WaitingRequest[]): Promise<void> {
    try {
      const verdicts = await this.storeGroup(group.map(({ request }) => request));
      group.forEach(({ answer }, index) => answer(verdicts[index]!));
    } catch (error) {
      for (const { fail } of group) fail(unavailable(1, error));
    } finally {
      for (const request of group) this.deadline.settle(request);
    }
  }

  // One that waits will not be stored; what becomes of one that is under way is not known.
  private giveUp(late: WaitingRequest): void {
    const at = this.waiting.indexOf(late);
    if (at >= 0) {
      this.waiting.splice(at, 1);
      this.waitingEvents -= late.request.events.length;
    }
    late.fail(unavailable(1));
  }
}

/** The outcome is unknown, or not known in time. */
export function unavailable(retryAfterSeconds: number, cause?: unknown): ProblemError {
  return new ProblemError(
    'store_uncertain',
    'Storing was not confirmed. Retry with the same idempotency keys: nothing is stored twice.',
    { retryAfterSeconds, cause },
  );
}
