import { trackingPlan, type BenchContext } from '../bench-context.js';
import type { BenchRow } from '../bench-row.js';
import { measureWindow } from '../load-window.js';
import { readServiceCpu } from '../service-cpu.js';
import { latencies, serviceParts, short } from '../wording.js';

const events = 500;
const connections = 8;
const catch_up_seconds_max = 600;

/** Batches without a pause, and how long the rest of the house needs to be done with them. */
export async function measureSustained(context: BenchContext): Promise<readonly BenchRow[]> {
  const { options, service, generator } = context;
  const seconds = options.sustainedSeconds;
  const plan = trackingPlan(context, {
    headers: {},
    eventsPerRequest: events,
    connections,
    seconds,
  });
  await service.caughtUp(catch_up_seconds_max);
  const window = await measureWindow(generator, plan, () => readServiceCpu(service));
  const left = await service.backlog();
  const behind = await service.caughtUp(catch_up_seconds_max);
  const accepted = `${short(window.units)} events`;
  return [
    {
      figure: `batch events/s, sustained ${seconds} s`,
      measured: `${short(window.unitsPerSecond)} events/s`,
      baseline: '',
      value: window.unitsPerSecond,
      unit: '/s',
      bar: { kind: 'at least', now: 15_000, next: 30_000 },
      notes: [`${accepted}, ${latencies([window])}`, ...serviceParts([window])],
    },
    {
      figure: 'everything downstream caught up after',
      measured: `${short(behind)} s`,
      baseline: '',
      value: behind,
      unit: 's',
      bar: { kind: 'at most', now: 10, next: 10 },
      notes: [
        `${short(left)} records were left to the worker and the projector when the load ended; ` +
          `all of it, from first to last: ${short(window.units / (seconds + behind))} events/s`,
      ],
    },
  ];
}
