import type { EventMapping } from '#domain/usage/map-usage-event.js';

interface BatchBody {
  readonly results: readonly object[];
}

const mapping_texts = new WeakMap<EventMapping, string>();

/** The JSON of a batch answer. Events of a request that are alike share a mapping, and its text. */
export function toBatchJson({ results, ...counts }: BatchBody): string {
  const texts = results.map((result) => toResultJson(result));
  return `${JSON.stringify(counts).slice(0, -1)},"results":[${texts.join(',')}]}`;
}

function toResultJson(result: { readonly mapping?: EventMapping }): string {
  const { mapping, ...rest } = result;
  if (mapping === undefined) return JSON.stringify(result);
  return `${JSON.stringify(rest).slice(0, -1)},"mapping":${toMappingJson(mapping)}}`;
}

function toMappingJson(mapping: EventMapping): string {
  const known = mapping_texts.get(mapping);
  if (known !== undefined) return known;
  const text = JSON.stringify(mapping);
  mapping_texts.set(mapping, text);
  return text;
}
