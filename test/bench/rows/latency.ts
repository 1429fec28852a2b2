import {
  baselinePlan,
  measureService,
  startBaseline,
  trackingPlan,
  warm_up_seconds,
  type BenchContext,
  type LoadShape,
} from '../bench-context.js';
import type { BenchRow } from '../bench-row.js';
import { LoadGenerator } from '../load-generator.js';
import { measureWindow, type LoadWindow } from '../load-window.js';
import { interleave, median, medianRatio } from '../statistics.js';
import { latencies, ms, perSecond } from '../wording.js';

const arrivals_per_second = 1000;
const connections = 64;
const streamed_batch_events = 500;
/** The stream begins before the single events and ends after them. */
const stream_margin_seconds = 0.3;

/** Single events that arrive by the clock: alone, and while one client streams batches. */
export async function measureLatency(context: BenchContext): Promise<readonly BenchRow[]> {
  const { options, generator } = context;
  const echo = await startBaseline('baseline', { environment: { BASELINE: 'echo' } });
  const streamer = await LoadGenerator.start(options.developers);
  try {
    const contestants = (seconds: number) => {
      const shape: LoadShape = {
        headers: {},
        eventsPerRequest: 1,
        connections,
        seconds,
        arrivalsPerSecond: arrivals_per_second,
      };
      return {
        echo: () => measureWindow(generator, baselinePlan(echo.url, shape, '{"ev'), echo.meter),
        alone: () => measureService(context, trackingPlan(context, shape)),
        streamed: () => measureBeside(streamer, context, shape),
      };
    };
    await interleave(1, contestants(warm_up_seconds));
    return toRows(await interleave(options.windows, contestants(options.windowSeconds)));
  } finally {
    await Promise.all([echo.stop(), streamer.stop()]);
  }
}

/** Single events while another client sends one batch after the other. */
async function measureBeside(
  streamer: LoadGenerator,
  context: BenchContext,
  shape: LoadShape,
): Promise<LoadWindow> {
  const stream = trackingPlan(context, {
    headers: {},
    eventsPerRequest: streamed_batch_events,
    connections: 1,
    seconds: shape.seconds + 2 * stream_margin_seconds,
  });
  const streaming = streamer.run(stream);
  const [window] = await Promise.all([
    new Promise((resolve) => setTimeout(resolve, stream_margin_seconds * 1000)).then(() =>
      measureService(context, trackingPlan(context, shape)),
    ),
    streaming,
  ]);
  await context.service.caughtUp(60);
  return window;
}

type Windows = Record<'echo' | 'alone' | 'streamed', readonly LoadWindow[]>;

function toRows({ echo, alone, streamed }: Windows): readonly BenchRow[] {
  const p99 = (windows: readonly LoadWindow[]) => windows.map((window) => window.p99);
  const difference = p99(alone).map((value, index) => value - p99(echo)[index]!);
  return [
    {
      figure: `single event, open loop ${arrivals_per_second}/s, p99 minus the echo's p99`,
      measured: ms(median(p99(alone))),
      baseline: ms(median(p99(echo))),
      value: median(difference),
      unit: 'ms',
      bar: { kind: 'at most', now: 15, next: 5 },
      notes: [
        `service ${perSecond(alone, 'events')}, ${latencies(alone)}`,
        `echo ${perSecond(echo, 'events')}, ${latencies(echo)}`,
      ],
    },
    {
      figure: 'single event, p99 while one client streams batches ÷ without',
      measured: ms(median(p99(streamed))),
      baseline: ms(median(p99(alone))),
      value: medianRatio(p99(streamed), p99(alone)),
      unit: '',
      bar: { kind: 'at most', now: 3, next: 1.5 },
      notes: [`beside the stream ${perSecond(streamed, 'events')}, ${latencies(streamed)}`],
    },
  ];
}
