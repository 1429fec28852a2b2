import {
  baseline_window_share,
  baselinePlan,
  measureService,
  startBaseline,
  trackingPlan,
  warm_up_seconds,
  type BenchContext,
} from '../bench-context.js';
import type { BenchRow } from '../bench-row.js';
import { measureWindow } from '../load-window.js';
import { startParseAlone } from '../parse-alone.js';
import { acceptName, acceptSeconds } from '../service-cpu.js';
import { interleave, median, medianRatio } from '../statistics.js';
import { latencies, perSecond, serviceParts, us } from '../wording.js';

const connections = 64;

/** One event in a request, as many requests as the service takes. */
export async function measureSingleEvent(context: BenchContext): Promise<readonly BenchRow[]> {
  const { options, service, generator } = context;
  const cost = acceptName(service);
  const parser = await startBaseline('baseline', { environment: { BASELINE: 'node-http' } });
  const echo = await startBaseline('baseline', { environment: { BASELINE: 'echo' } });
  const parse = await startParseAlone();
  try {
    const contestants = (seconds: number) => {
      const shape = { headers: {}, eventsPerRequest: 1, connections, seconds };
      const brief = { ...shape, seconds: seconds * baseline_window_share };
      const parserPlan = baselinePlan(parser.url, brief, '{"tracked":true');
      return {
        parser: () => measureWindow(generator, parserPlan, parser.meter),
        service: () => measureService(context, trackingPlan(context, shape)),
        echo: () => measureWindow(generator, baselinePlan(echo.url, brief, '{"ev'), echo.meter),
        parse: () => parse.cost(seconds),
      };
    };
    await interleave(1, contestants(warm_up_seconds));
    const windows = await interleave(options.windows, contestants(options.windowSeconds));
    const accept = windows.service.map(({ cpu }) => acceptSeconds(cpu));
    const parserCost = windows.parser.map(({ cpu }) => cpu['server']!);
    const echoCost = windows.echo.map(({ cpu }) => cpu['server']!);
    return [
      {
        figure: `single event (1 × ${connections}), ${cost} ÷ node:http + JSON.parse`,
        measured: us(median(accept)),
        baseline: us(median(parserCost)),
        value: medianRatio(accept, parserCost),
        unit: '',
        bar: { kind: 'at most', now: 5.5, next: 2.8 },
        notes: [
          `service ${perSecond(windows.service, 'events')}, ${latencies(windows.service)}`,
          `baseline ${perSecond(windows.parser, 'events')}, ${latencies(windows.parser)}`,
          ...serviceParts(windows.service),
        ],
      },
      {
        figure: `single event, ${cost} ÷ raw Fastify echo`,
        measured: us(median(accept)),
        baseline: us(median(echoCost)),
        value: medianRatio(accept, echoCost),
        unit: '',
        bar: null,
        notes: [`echo ${perSecond(windows.echo, 'events')}, ${latencies(windows.echo)}`],
      },
      {
        figure: `single event, ${cost} ÷ JSON.parse alone`,
        measured: us(median(accept)),
        baseline: us(median(windows.parse)),
        value: medianRatio(accept, windows.parse),
        unit: '',
        bar: null,
        notes: [],
      },
    ];
  } finally {
    await Promise.all([parser.stop(), echo.stop(), parse.stop()]);
  }
}
