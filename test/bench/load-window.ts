import { usedBetween, type CpuMeter, type CpuReading } from './cpu-time.js';
import type { LoadGenerator, LoadRequest } from './load-generator.js';

/** One measured window of load on one server. */
export interface LoadWindow {
  /** Events, or requests that carry none. */
  readonly units: number;
  readonly unitsPerSecond: number;
  /** Latencies of requests, in milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** CPU time by process, in microseconds for each unit. */
  readonly cpu: CpuReading;
  readonly generatorCpu: number;
}

/** Sends the load of `plan` and reads what it cost the measured processes. */
export async function measureWindow(
  generator: LoadGenerator,
  plan: LoadRequest,
  meter: CpuMeter,
): Promise<LoadWindow> {
  const before = await meter();
  const result = await generator.run(plan);
  const used = usedBetween(before, await meter());
  const units = result.requests * Math.max(1, plan.eventsPerRequest);
  const perUnit = (seconds: number) => (seconds * 1e6) / units;
  return {
    units,
    unitsPerSecond: units / result.seconds,
    p50: result.p50,
    p99: result.p99,
    cpu: Object.fromEntries(
      Object.entries(used).map(([name, seconds]) => [name, perUnit(seconds)]),
    ),
    generatorCpu: perUnit(result.cpuSeconds),
  };
}
