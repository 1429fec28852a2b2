import type { EventMapping } from '#domain/usage/map-usage-event.js';
import type { TrackedResult } from '../tracking-answers.js';
import { JsonWriter } from './json-writer.js';

interface BatchBody {
  readonly results: readonly object[];
}

const result_bytes = 1024;
const mapping_json = new WeakMap<EventMapping, Buffer>();

/** The JSON of a batch answer: what `JSON.stringify` would write, at a fraction of its cost. */
export function toBatchJson({ results, ...counts }: BatchBody): Buffer<ArrayBuffer> {
  const json = new JsonWriter((results.length + 1) * result_bytes);
  json.text(`${JSON.stringify(counts).slice(0, -1)},"results":[`);
  results.forEach((result, index) => {
    if (index > 0) json.text(',');
    if (isTracked(result)) writeTracked(result, json);
    else json.text(JSON.stringify(result));
  });
  json.text(']}');
  return json.written();
}

function isTracked(result: object): result is TrackedResult {
  return 'occurredAtSource' in result;
}

// Ids and times hold nothing that JSON escapes.
function writeTracked(result: TrackedResult, json: JsonWriter): void {
  json.text(
    `{"index":${result.index},"status":${result.status},"tracked":${result.tracked},` +
      `"eventId":"${result.eventId}","duplicate":${result.duplicate},` +
      `"ignored":${result.ignored},"occurredAt":"${result.occurredAt}",` +
      `"occurredAtSource":"${result.occurredAtSource}","receivedAt":"${result.receivedAt}",` +
      `"mapping":`,
  );
  json.copy(toMappingJson(result.mapping));
  json.text('}');
}

// Events of a request that are alike share a mapping, and its JSON.
function toMappingJson(mapping: EventMapping): Buffer {
  const known = mapping_json.get(mapping);
  if (known !== undefined) return known;
  const json = Buffer.from(JSON.stringify(mapping));
  mapping_json.set(mapping, json);
  return json;
}
