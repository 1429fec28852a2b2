import type { ClaimVerdict } from '#domain/claims/judge-claims.js';
import { ProblemError, type Finding } from '#domain/errors.js';
import { event_limits } from '#domain/limits.js';
import { changedFields } from '#domain/usage/canonical-event.js';
import type { DryRunOutcome } from './dry-run-event.query.js';
import type { PreparedEvent, RefusedEvent } from './prepare-event.js';
import type { JudgedEvent, TrackOutcome } from './track-events.command.js';

/** Answer of `POST /api/usage/track` for its one event. */
export function toTrackAnswer(outcome: TrackOutcome): object {
  if (outcome.kind === 'tracked') return toTrackedEvent(outcome.events[0]!);
  throw toProblem(outcome, () => '');
}

/** Answer of `POST /api/usage/track/batch`, results in input order. */
export function toBatchAnswer(outcome: TrackOutcome): object {
  if (outcome.kind !== 'tracked') throw toProblem(outcome, (index) => `/events/${index}`);
  const results = outcome.events.map((event, index) => ({
    index,
    status: 200,
    ...toTrackedEvent(event),
  }));
  const duplicates = results.filter(({ duplicate }) => duplicate).length;
  return {
    tracked: true,
    received: results.length,
    stored: results.length - duplicates,
    duplicates,
    ignored: 0,
    results,
  };
}

/** Answer of `POST /api/usage/track/dry-run`. */
export function toDryRunAnswer(outcome: DryRunOutcome): object {
  if (outcome.kind === 'refused') throw refusal([outcome], () => '');
  const { event, idempotency } = outcome;
  return { accepted: true, stored: false, ignored: false, mapping: event.mapping, idempotency };
}

function toTrackedEvent({ prepared, verdict }: JudgedEvent) {
  // A duplicate speaks of the event that is stored: it keeps the times of the first request.
  const receivedAt = new Date(firstOf(verdict).receivedAt).toISOString();
  return {
    tracked: true,
    eventId: verdict.claim.eventId,
    duplicate: verdict.kind === 'duplicate',
    ignored: false,
    occurredAt: prepared.occurredAt ?? receivedAt,
    occurredAtSource: prepared.occurredAt === null ? 'received' : 'request',
    receivedAt,
    mapping: prepared.mapping,
  };
}

function firstOf(verdict: ClaimVerdict) {
  return verdict.kind === 'duplicate' || verdict.kind === 'conflict'
    ? verdict.first
    : verdict.claim;
}

type PointerTo = (index: number) => string;

function toProblem(
  outcome: Exclude<TrackOutcome, { kind: 'tracked' }>,
  pointerTo: PointerTo,
): ProblemError {
  switch (outcome.kind) {
    case 'refused':
      return refusal(outcome.events, pointerTo);
    case 'conflict':
      return conflict(outcome.events, pointerTo);
  }
}

function refusal(
  events: readonly (PreparedEvent | RefusedEvent)[],
  pointerTo: PointerTo,
): ProblemError {
  const findings = events.flatMap((event, index) =>
    event.kind === 'prepared' ? [] : event.findings.map((finding) => at(finding, pointerTo(index))),
  );
  const refused = events.filter(({ kind }) => kind === 'refused').length;
  const listed = findings.slice(0, event_limits.findings_max);
  const first = listed[0]!;
  const detail =
    events.length === 1
      ? `Nothing was stored. ${first.detail}`
      : `${refused} of ${events.length} events are not valid; nothing of the batch was stored.`;
  // Findings of one kind name the whole problem, so that clients can act on `code` alone.
  const code = findings.every((finding) => finding.code === first.code)
    ? first.code
    : 'invalid_event';
  return new ProblemError(code, detail, { errors: listed, members: { findings: findings.length } });
}

function conflict(events: readonly JudgedEvent[], pointerTo: PointerTo): ProblemError {
  const conflicts = events.flatMap(({ verdict }, index) =>
    verdict.kind === 'conflict' ? [toConflict(verdict, pointerTo(index))] : [],
  );
  const listed = conflicts.slice(0, event_limits.findings_max);
  const { eventId, firstReceivedAt, changedFields: fields } = listed[0]!;
  return new ProblemError(
    'idempotency_conflict',
    events.length === 1
      ? 'Another event is stored under this idempotency key; nothing was stored.'
      : `${conflicts.length} of ${events.length} events changed under their idempotency keys; ` +
          'nothing of the batch was stored.',
    {
      members: { eventId, firstReceivedAt, changedFields: fields },
      errors: listed.map(({ pointer, ...rest }) => ({
        code: 'idempotency_conflict' as const,
        pointer,
        detail: 'The content differs from the event that is stored under this key.',
        ...rest,
      })),
    },
  );
}

function toConflict(verdict: Extract<ClaimVerdict, { kind: 'conflict' }>, pointer: string) {
  return {
    pointer,
    eventId: verdict.claim.eventId,
    firstReceivedAt: new Date(verdict.first.receivedAt).toISOString(),
    changedFields: changedFields(verdict.first.fieldHashes, verdict.claim.fieldHashes).map(
      (field) => pointer + field,
    ),
  };
}

function at(finding: Finding, pointer: string): Finding {
  return { ...finding, pointer: pointer + (finding.pointer ?? '') };
}
