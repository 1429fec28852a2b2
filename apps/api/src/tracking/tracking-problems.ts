import type { ConflictVerdict } from '#domain/claims/judge-claims.js';
import { ProblemError, type Finding } from '#domain/errors.js';
import { event_limits } from '#domain/limits.js';
import { changedFields } from '#domain/usage/canonical-event.js';
import type { TrackedItem } from './track-events.command.js';

/** Where an event stands in the body: `''` or `/events/3`. */
type PointerTo = (index: number) => string;

/** 400 for events that are not valid; it lists the findings of all of them. */
export function toRefusalProblem(
  events: readonly TrackedItem[],
  pointerTo: PointerTo,
): ProblemError {
  const findings = events.flatMap((event, index) =>
    event.kind === 'refused'
      ? event.findings.map((finding) => placed(finding, pointerTo(index)))
      : [],
  );
  const listed = findings.slice(0, event_limits.findings_max);
  const first = listed[0]!;
  const refused = events.filter(({ kind }) => kind === 'refused').length;
  const detail =
    events.length === 1
      ? `Nothing was stored. ${sentenceOf(first)}`
      : `${refused} of ${events.length} events are not valid.`;
  // Findings of one kind name the whole problem, so that clients can act on `code` alone.
  const alike = findings.every((finding) => finding.code === first.code);
  return new ProblemError(alike ? first.code : 'invalid_event', detail, {
    errors: listed,
    members: { findings: findings.length },
  });
}

// The details of class-validator go on after the name of a field.
function sentenceOf({ detail, pointer }: Finding): string {
  if (!detail.startsWith('must ')) return detail;
  return `${pointer === undefined || pointer === '' ? 'The body' : pointer} ${detail}.`;
}

/** 409 for events that changed under their keys; it names each and what changed. */
export function toConflictProblem(
  items: readonly TrackedItem[],
  pointerTo: PointerTo,
): ProblemError {
  const conflicts = items.flatMap((item, index) =>
    item.kind === 'conflict' ? [{ verdict: item.verdict, pointer: pointerTo(index) }] : [],
  );
  const listed = conflicts.slice(0, event_limits.findings_max);
  const first = listed[0]!;
  return new ProblemError(
    'idempotency_conflict',
    items.length === 1
      ? 'Another event is stored under this idempotency key; nothing was stored.'
      : `${conflicts.length} of ${items.length} events changed under their idempotency keys.`,
    {
      members: toConflict(first.verdict, first.pointer),
      errors: listed.map(({ verdict, pointer }) => ({
        code: 'idempotency_conflict' as const,
        pointer,
        detail: verdict.within
          ? 'Another event of this batch has the same key and another content.'
          : 'The content differs from the event that is stored under this key.',
        ...toConflict(verdict, pointer),
      })),
    },
  );
}

/** The stored event that a changed one ran into, and in which fields they differ. */
export function toConflict({ claim, first }: ConflictVerdict, pointer: string) {
  return {
    eventId: claim.eventId,
    firstReceivedAt: new Date(first.receivedAt).toISOString(),
    changedFields: changedFields(first.fieldHashes, claim.fieldHashes).map(
      (field) => pointer + field,
    ),
  };
}

/** The finding with a pointer into the body. */
export function placed(finding: Finding, pointer: string): Finding {
  return { ...finding, pointer: pointer + (finding.pointer ?? '') };
}
