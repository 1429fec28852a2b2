import {
  AggregatorRegistry,
  collectDefaultMetrics,
  Counter,
  Gauge,
  Histogram,
  type Metric,
  Registry,
} from 'prom-client';
import { RequestDurations, type RequestLabels } from './request-durations.js';

/**
 * The metrics of this process, one set for all apps: each fills what it does. Rooms call the verbs
 * below and know nothing of Prometheus. Labels come from closed lists, never from requests.
 */
const registry = new Registry();
const registers = [registry];
const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

const appends = new Histogram({
  name: 'uptake_append_seconds',
  help: 'Time until the event log acknowledged an append, by outcome.',
  labelNames: ['outcome'],
  buckets: seconds,
  registers,
});
const claims = new Counter({
  name: 'uptake_claims_total',
  help: 'Events that asked for a claim, by what became of them.',
  labelNames: ['outcome'],
  registers,
});
const limited = new Counter({
  name: 'uptake_rate_limited_total',
  help: 'Requests refused with 429, by policy.',
  labelNames: ['policy'],
  registers,
});
const requests = new RequestDurations(seconds);
// A registry needs of a metric what this one has: its name, and its figures.
registry.registerMetric(requests as unknown as Metric);
const delays = new Histogram({
  name: 'uptake_delay_seconds',
  help: 'Age of the oldest event of a batch when it had come this far, by leg of the way.',
  labelNames: ['leg'],
  buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3600],
  registers,
});
const quarantined = new Counter({
  name: 'uptake_quarantined_total',
  help: 'Records that were set aside, by stage and reason.',
  labelNames: ['stage', 'reason'],
  registers,
});
const quarantineStops = new Gauge({
  name: 'uptake_quarantine_stopped',
  help: '1 while a stage takes nothing more because it would set too many records aside.',
  labelNames: ['stage'],
  registers,
});

/** `text/plain` in the version that Prometheus expects. */
export const metrics_content_type = registry.contentType;

/** The figures of a registry, as they travel between threads. */
export type MetricFigures = readonly object[];

const threads = new Set<() => Promise<MetricFigures>>();

/** All metrics in the text format of Prometheus; gauges are read now, other threads are asked. */
export async function metricsText(): Promise<string> {
  // Memory, event loop and garbage collection are watched from the first scrape on.
  if (registry.getSingleMetric('process_cpu_seconds_total') === undefined) {
    collectDefaultMetrics({ register: registry });
  }
  if (threads.size === 0) return registry.metrics();
  const elsewhere = await Promise.all(
    [...threads].map((read) => read().catch((): MetricFigures => [])),
  );
  return AggregatorRegistry.aggregate([await metricFigures(), ...elsewhere] as object[]).metrics();
}

/** The figures of this thread, for the one that shows them: see `addThreadMetrics`. */
export async function metricFigures(): Promise<MetricFigures> {
  return registry.getMetricsAsJSON();
}

/** Adds the figures of another thread to those of this one, until the answer is called. */
export function addThreadMetrics(read: () => Promise<MetricFigures>): () => void {
  threads.add(read);
  return () => void threads.delete(read);
}

/** Runs an append and records how long it took and how it ended. */
export async function measureAppend<T>(append: () => Promise<T>): Promise<T> {
  const start = performance.now();
  let outcome = 'acknowledged';
  try {
    return await append();
  } catch (error) {
    outcome = appendOutcome(error);
    throw error;
  } finally {
    appends.observe({ outcome }, (performance.now() - start) / 1000);
  }
}

// By name and shape: the errors belong to the event log, which stands above this room.
function appendOutcome(error: unknown): string {
  const { name, outcomeUnknown } = error as { name?: string; outcomeUnknown?: boolean };
  if (name === 'LogBackpressureError') return 'refused';
  return outcomeUnknown === false ? 'unavailable' : 'unknown';
}

/** Counts the verdicts on the events of one claim transaction. */
export function countClaims(verdicts: Iterable<Iterable<{ readonly kind: string }>>): void {
  const counts = new Map<string, number>();
  for (const request of verdicts) {
    for (const { kind } of request) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  for (const [outcome, count] of counts) claims.inc({ outcome }, count);
}

export function countRateLimited(policy: string): void {
  limited.inc({ policy });
}

export function observeRequest(request: RequestLabels, durationMs: number): void {
  requests.observe(request, durationMs / 1000);
}

/** Once per batch, with the age of its oldest event. */
export function observeDelay(leg: 'accepted' | 'projected', ageMs: number): void {
  delays.observe({ leg: `received_to_${leg}` }, Math.max(0, ageMs) / 1000);
}

export function countQuarantined(stage: string, reason: string, records = 1): void {
  quarantined.inc({ stage, reason }, records);
}

export function showQuarantineStop(stage: string, stopped: boolean): void {
  quarantineStops.set({ stage }, stopped ? 1 : 0);
}

/** What an event log can tell about a consumer group. */
interface LagSource {
  lag(
    group: string,
    topic: string,
  ): Promise<readonly { readonly partition: number; readonly lag: bigint }[]>;
}

let bodyBytes: (() => number) | null = null;

/** Shows how many bytes of request bodies are held; the latest server of the process. */
export function showBodyBytes(read: () => number): void {
  if (bodyBytes === null) {
    new Gauge({
      name: 'uptake_request_body_bytes',
      help: 'Bytes of request bodies held at once.',
      registers,
      collect() {
        this.set(bodyBytes?.() ?? 0);
      },
    });
  }
  bodyBytes = read;
}

let lagGauge: Gauge | null = null;
const watched = new Map<string, { log: LagSource; group: string; topic: string }>();

/** Shows the lag of a group at every scrape until the function it answers with is called. */
export function watchLag(log: LagSource, group: string, topic: string): () => Promise<void> {
  lagGauge ??= new Gauge({
    name: 'uptake_consumer_lag_records',
    help: 'Records that a consumer group has not finished, by topic and partition.',
    labelNames: ['group', 'topic', 'partition'],
    registers,
    collect: readLags,
  });
  const key = `${group} ${topic}`;
  watched.set(key, { log, group, topic });
  return async () => {
    watched.delete(key);
  };
}

async function readLags(this: Gauge): Promise<void> {
  this.reset();
  for (const { log, group, topic } of watched.values()) {
    // A log that is away has no lag to show; readiness tells that it is away.
    const lags = await log.lag(group, topic).catch(() => []);
    for (const { partition, lag } of lags) this.set({ group, topic, partition }, Number(lag));
  }
}
