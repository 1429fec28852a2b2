import type { BenchOptions } from './bench-options.js';
import { startChild, type Child, type ChildOptions } from './child.js';
import { treeSeconds, type CpuMeter } from './cpu-time.js';
import type { LoadGenerator, LoadRequest } from './load-generator.js';
import { measureWindow, type LoadWindow } from './load-window.js';
import { readServiceCpu } from './service-cpu.js';
import type { ServiceUnderTest } from './service-under-test.js';

/** Longest wait for the worker and the projector between two windows. */
const settle_seconds_max = 120;

/** Baselines vary less than the service and leave nothing to wait for: shorter windows suffice. */
export const baseline_window_share = 0.5;

/**
 * Every contestant runs this long before it is measured, a baseline half as long. A service or a
 * broker runs for weeks: what its engine compiles in the first seconds belongs to none of its
 * events.
 */
export const warm_up_seconds = 8;

/** What every row of the bench measures with. */
export interface BenchContext {
  readonly options: BenchOptions;
  readonly service: ServiceUnderTest;
  readonly generator: LoadGenerator;
}

/** A server that is not the service, for comparison. */
export interface Baseline {
  readonly url: string;
  readonly meter: CpuMeter;
  stop(): Promise<void>;
}

export async function startBaseline(entry: string, options: ChildOptions): Promise<Baseline> {
  const child: Child = await startChild(entry, options);
  return {
    url: child.baseUrl,
    meter: async () => ({ server: await treeSeconds(child.pid) }),
    stop: () => child.stop(),
  };
}

/** How a window on the service is told from one on a baseline: what it left to do is done too. */
export async function measureService(
  { service, generator }: BenchContext,
  plan: LoadRequest,
): Promise<LoadWindow> {
  const window = await measureWindow(generator, plan, () => readServiceCpu(service));
  await service.caughtUp(settle_seconds_max);
  return window;
}

/** The load that one kind of request makes; the address is still to be said. */
export type LoadShape = Omit<LoadRequest, 'url' | 'expected'>;

/** Load on the tracking endpoints of the service, every event to be tracked. */
export function trackingPlan({ service }: BenchContext, shape: LoadShape): LoadRequest {
  const { eventsPerRequest: events } = shape;
  const path = events === 1 ? '/api/usage/track' : '/api/usage/track/batch';
  const stored = `{"tracked":true,"received":${events},"stored":${events},"duplicates":0,`;
  return {
    ...shape,
    url: service.baseUrl + path,
    headers: { ...shape.headers, authorization: `Bearer ${service.organizationKey}` },
    expected: { status: 200, bodyStart: events === 1 ? '{"tracked":true,' : stored },
  };
}

/** The same load on another server. */
export function baselinePlan(url: string, shape: LoadShape, bodyStart: string): LoadRequest {
  return { ...shape, url: `${url}/`, expected: { status: 200, bodyStart } };
}
