import { toMappingJson, trackedMembers } from '../tracked-json.js';
import type { TrackedResult } from '../tracking-answers.js';
import { JsonWriter } from './json-writer.js';

interface BatchBody {
  readonly results: readonly object[];
}

const result_bytes = 1024;

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

function writeTracked(result: TrackedResult, json: JsonWriter): void {
  json.text(`{"index":${result.index},"status":${result.status},${trackedMembers(result)}`);
  json.copy(toMappingJson(result.mapping).bytes);
  json.text('}');
}
