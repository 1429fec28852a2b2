import { setFlagsFromString } from 'node:v8';

/**
 * How much an old heap may grow before all of it is marked again, in percent of what is alive. The
 * API answers anybody, so its memory has a bound; the others hold what they fetched themselves.
 */
const growth_percent = { api: 110, others: 250 };

/**
 * Lets the heaps of this process, those of its threads included, grow before they are collected as
 * a whole. Left to itself, the engine allows a tenth to a thread that makes few objects, and takes
 * what lies outside the heap for growth: request bodies, answers, frames of the log. A stream of
 * batches made the API mark its 40 MiB of living objects three times a second, a fifth of its
 * processor time, with a pause each time. Bodies die young and are found by small collections.
 */
export function letHeapsGrow(app: string): void {
  const percent = app === 'api' ? growth_percent.api : growth_percent.others;
  setFlagsFromString(`--heap-growing-percent=${percent}`);
}
