import type { EventMapping } from '#domain/usage/map-usage-event.js';

/** An event that is stored, or was before. */
export interface TrackedEvent {
  readonly tracked: true;
  readonly eventId: string;
  readonly duplicate: boolean;
  readonly ignored: false;
  /** ISO 8601 UTC with milliseconds, like `receivedAt`. */
  readonly occurredAt: string;
  readonly occurredAtSource: 'received' | 'request';
  readonly receivedAt: string;
  readonly mapping: EventMapping;
}

/** JSON of a mapping, as text and as bytes. */
interface MappingJson {
  readonly text: string;
  readonly bytes: Buffer;
}

// Events that are alike share a mapping, and its JSON.
const known = new WeakMap<EventMapping, MappingJson>();

/** What `JSON.stringify` would write, once for each mapping. */
export function toMappingJson(mapping: EventMapping): MappingJson {
  const written = known.get(mapping);
  if (written !== undefined) return written;
  const text = JSON.stringify(mapping);
  const json = { text, bytes: Buffer.from(text) };
  known.set(mapping, json);
  return json;
}

/** The members of a tracked event but for its mapping, which is the last, without braces. */
export function trackedMembers(event: TrackedEvent): string {
  // Ids and times hold nothing that JSON escapes.
  return (
    `"tracked":${event.tracked},"eventId":"${event.eventId}","duplicate":${event.duplicate},` +
    `"ignored":${event.ignored},"occurredAt":"${event.occurredAt}",` +
    `"occurredAtSource":"${event.occurredAtSource}","receivedAt":"${event.receivedAt}",` +
    `"mapping":`
  );
}

/** The JSON of a tracked event, as `JSON.stringify` would write it, at a fraction of its cost. */
export function toTrackedJson(event: TrackedEvent): string {
  return `{${trackedMembers(event)}${toMappingJson(event.mapping).text}}`;
}
