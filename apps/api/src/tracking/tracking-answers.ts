import { ProblemError } from '#domain/errors.js';
import { event_limits } from '#domain/limits.js';
import type { IgnoredEvent } from './prepare-event.js';
import type { DryRunOutcome } from './dry-run-event.query.js';
import { placed, toConflict, toConflictProblem, toRefusalProblem } from './tracking-problems.js';
import type { Handling, TrackedItem } from './track-events.command.js';
import { toTrackedJson, type TrackedEvent } from './tracked-json.js';

/** An answer that is no error: its status and its body. */
export interface TrackingAnswer<Body = object> {
  readonly status: number;
  readonly body: Body;
}

type Tracked = Extract<TrackedItem, { kind: 'tracked' }>;

/** Answer of `POST /api/usage/track` for its one event, in JSON. */
export function toTrackAnswer(items: readonly TrackedItem[]): TrackingAnswer<string> {
  const problem = strictProblem(items, () => '');
  if (problem !== null) throw problem;
  const item = items[0] as Tracked | IgnoredEvent;
  if (item.kind === 'ignored') return { status: 202, body: JSON.stringify(toIgnoredEvent(item)) };
  return { status: 200, body: toTrackedJson(toTrackedEvent(item)) };
}

/**
 * Answer of `POST /api/usage/track/batch`, results in input order: 200, or 202 when every event
 * was ignored. A lenient batch answers with the status that all its events share, or 207.
 */
export function toBatchAnswer(
  items: readonly TrackedItem[],
  handling: Handling,
): TrackingAnswer<{ readonly results: readonly object[] }> {
  const problem = strictProblem(items, (index) => `/events/${index}`);
  if (handling === 'strict' && problem !== null) throw problem;
  const results = items.map((item, index) => toResult(item, index));
  const statuses = new Set(results.map(({ status }) => status));
  const differing = handling === 'strict' ? 200 : 207;
  const status = statuses.size === 1 ? results[0]!.status : differing;
  const body = { ...counts(items), results };
  if (problem !== null && status !== 207) {
    const { code, detail, errors, members } = problem;
    throw new ProblemError(code, detail, { errors, members: { ...members, ...body } });
  }
  return { status, body };
}

/** Answer of `POST /api/usage/track/dry-run`. */
export function toDryRunAnswer(outcome: DryRunOutcome): TrackingAnswer {
  if (outcome.kind === 'refused') throw toRefusalProblem([outcome], () => '');
  if (outcome.kind === 'ignored') {
    const { reason, detail, mapping } = outcome;
    const body = { accepted: false, stored: false, ignored: true, reason, detail, mapping };
    return { status: 202, body: { ...body, idempotency: 'none' } };
  }
  const { event, idempotency } = outcome;
  const body = {
    accepted: true,
    stored: false,
    ignored: false,
    mapping: event.mapping,
    idempotency,
  };
  return { status: 200, body };
}

/** What keeps a strict request from being stored, if anything does. */
function strictProblem(
  items: readonly TrackedItem[],
  pointerTo: (index: number) => string,
): ProblemError | null {
  if (items.some(({ kind }) => kind === 'refused')) return toRefusalProblem(items, pointerTo);
  if (items.some(({ kind }) => kind === 'conflict')) return toConflictProblem(items, pointerTo);
  return null;
}

function counts(items: readonly TrackedItem[]) {
  const tracked = items.filter((item) => item.kind === 'tracked');
  const duplicates = tracked.filter(({ verdict }) => verdict.kind === 'duplicate').length;
  return {
    tracked: tracked.length > 0,
    received: items.length,
    stored: tracked.length - duplicates,
    duplicates,
    ignored: items.filter(({ kind }) => kind === 'ignored').length,
  };
}

const not_tracked = { tracked: false, duplicate: false, ignored: false } as const;

function toResult(item: TrackedItem, index: number) {
  switch (item.kind) {
    case 'tracked':
      return toTrackedResult(item, index);
    case 'conflict':
      return {
        index,
        status: 409,
        ...not_tracked,
        code: 'idempotency_conflict',
        ...toConflict(item.verdict, `/events/${index}`),
      };
    case 'ignored':
      return { index, status: 202, ...toIgnoredEvent(item) };
    case 'refused':
      return {
        index,
        status: 400,
        ...not_tracked,
        code: item.findings[0]!.code,
        errors: item.findings
          .slice(0, event_limits.findings_max)
          .map((finding) => placed(finding, `/events/${index}`)),
      };
    case 'withheld':
      throw new Error('A withheld event has no result: its batch was refused as a whole.');
  }
}

function toIgnoredEvent({ reason, detail, mapping }: IgnoredEvent) {
  return { tracked: false, duplicate: false, ignored: true, reason, detail, mapping };
}

/** One event of a batch that is stored. */
export interface TrackedResult extends TrackedEvent {
  readonly index: number;
  readonly status: number;
}

function toTrackedResult(item: Tracked, index: number): TrackedResult {
  return { index, status: 200, ...toTrackedEvent(item) };
}

function toTrackedEvent({ event, verdict }: Tracked): TrackedEvent {
  // A duplicate speaks of the event that is stored: it keeps the times of the first request.
  const first = verdict.kind === 'duplicate' ? verdict.first : verdict.claim;
  const receivedAt =
    first === event.claim ? event.receivedAtText : new Date(first.receivedAt).toISOString();
  return {
    tracked: true,
    eventId: verdict.claim.eventId,
    duplicate: verdict.kind === 'duplicate',
    ignored: false,
    occurredAt: event.occurredAt ?? receivedAt,
    occurredAtSource: event.occurredAt === null ? 'received' : 'request',
    receivedAt,
    mapping: event.mapping,
  };
}
