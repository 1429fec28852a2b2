import type { ReadinessReport } from '#runtime/readiness.js';

/** What an app says of itself. */
export interface Probe {
  readonly status: number;
  readonly report: ReadinessReport;
  readonly metrics: string;
}

/** Asks for readiness and metrics; the app has to listen. */
export async function probe(baseUrl: string): Promise<Probe> {
  const ready = await fetch(`${baseUrl}/readyz`);
  const metrics = await fetch(`${baseUrl}/metrics`);
  return {
    status: ready.status,
    report: (await ready.json()) as ReadinessReport,
    metrics: await metrics.text(),
  };
}
