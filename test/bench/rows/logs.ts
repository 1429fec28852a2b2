import {
  measureService,
  trackingPlan,
  warm_up_seconds,
  type BenchContext,
} from '../bench-context.js';
import type { BenchRow } from '../bench-row.js';
import { startServiceUnderTest } from '../service-under-test.js';
import { interleave, median, medianRatio } from '../statistics.js';
import { latencies, perSecond, serviceParts, short } from '../wording.js';

const events = 500;
const connections = 8;

/** The batch path on Kafka against the same on the embedded log, in turn. */
export async function measureLogs(context: BenchContext): Promise<readonly BenchRow[]> {
  const { options } = context;
  const embedded = await startServiceUnderTest({
    log: 'embedded',
    profileFolder: null,
    developers: options.developers,
  });
  const other = { ...context, service: embedded };
  try {
    const contestants = (seconds: number) => {
      const shape = { headers: {}, eventsPerRequest: events, connections, seconds };
      return {
        kafka: () => measureService(context, trackingPlan(context, shape)),
        embedded: () => measureService(other, trackingPlan(other, shape)),
      };
    };
    await interleave(1, contestants(warm_up_seconds));
    const windows = await interleave(options.windows, contestants(options.windowSeconds));
    const rateOf = (log: 'kafka' | 'embedded') =>
      windows[log].map(({ unitsPerSecond }) => unitsPerSecond);
    return [
      {
        figure: `batch (${events} × ${connections}), events/s on Kafka ÷ on the embedded log`,
        measured: `${short(median(rateOf('kafka')))} events/s`,
        baseline: `${short(median(rateOf('embedded')))} events/s`,
        value: medianRatio(rateOf('kafka'), rateOf('embedded')),
        unit: '',
        bar: { kind: 'at least', now: 0.8, next: 1 },
        notes: [
          `Kafka ${perSecond(windows.kafka, 'events')}, ${latencies(windows.kafka)}`,
          ...serviceParts(windows.kafka),
          `embedded ${perSecond(windows.embedded, 'events')}, ${latencies(windows.embedded)}`,
          ...serviceParts(windows.embedded),
        ],
      },
    ];
  } finally {
    await embedded.stop();
  }
}
