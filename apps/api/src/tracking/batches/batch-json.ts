import type { EventMapping } from '#domain/usage/map-usage-event.js';
import type { TrackedResult } from '../tracking-answers.js';

interface BatchBody {
  readonly results: readonly object[];
}

const mapping_texts = new WeakMap<EventMapping, string>();

/** The JSON of a batch answer: what `JSON.stringify` would write, at a fraction of its cost. */
export function toBatchJson({ results, ...counts }: BatchBody): string {
  let text = `${JSON.stringify(counts).slice(0, -1)},"results":[`;
  for (let index = 0; index < results.length; index += 1) {
    if (index > 0) text += ',';
    text += toResultJson(results[index]!);
  }
  return `${text}]}`;
}

function toResultJson(result: object): string {
  return isTracked(result) ? toTrackedJson(result) : JSON.stringify(result);
}

function isTracked(result: object): result is TrackedResult {
  return 'occurredAtSource' in result;
}

// Ids and times hold nothing that JSON escapes.
function toTrackedJson(result: TrackedResult): string {
  return (
    `{"index":${result.index},"status":${result.status},"tracked":${result.tracked},` +
    `"eventId":"${result.eventId}","duplicate":${result.duplicate},` +
    `"ignored":${result.ignored},"occurredAt":"${result.occurredAt}",` +
    `"occurredAtSource":"${result.occurredAtSource}","receivedAt":"${result.receivedAt}",` +
    `"mapping":${toMappingJson(result.mapping)}}`
  );
}

// Events of a request that are alike share a mapping, and its text.
function toMappingJson(mapping: EventMapping): string {
  const known = mapping_texts.get(mapping);
  if (known !== undefined) return known;
  const text = JSON.stringify(mapping);
  mapping_texts.set(mapping, text);
  return text;
}
