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
import { treeSeconds } from '../cpu-time.js';
import { measureWindow, type LoadWindow } from '../load-window.js';
import { startParseAlone } from '../parse-alone.js';
import { acceptName, acceptSeconds } from '../service-cpu.js';
import { interleave, median, medianRatio } from '../statistics.js';
import { latencies, perSecond, serviceParts, short, us } from '../wording.js';

const events = 500;
const connections = 8;
/** Batches of the naive way are smaller, because 500 of its statements outlast a window. */
const naive_events = 50;
const load = `${events} × ${connections}`;

/** Batches of 500 events against what a server must at least do, an echo, and the naive way. */
export async function measureBatchAccept(context: BenchContext): Promise<readonly BenchRow[]> {
  const { options, service, generator } = context;
  const parser = await startBaseline('baseline', { environment: { BASELINE: 'node-http' } });
  const echo = await startBaseline('baseline', { environment: { BASELINE: 'echo' } });
  const naive = await startBaseline('naive', {
    environment: { DATABASE_URL: service.databaseUrl },
  });
  const parse = await startParseAlone();
  const naiveMeter = async () => ({
    ...(await naive.meter()),
    postgres: await treeSeconds(service.pids.postgres),
  });
  try {
    const contestants = (seconds: number) => {
      const shape = { headers: {}, eventsPerRequest: events, connections, seconds };
      const brief = { ...shape, seconds: seconds * baseline_window_share };
      const parserPlan = baselinePlan(parser.url, brief, '{"tracked":true');
      const smaller = { ...brief, eventsPerRequest: naive_events };
      const naivePlan = baselinePlan(naive.url, smaller, '{"tracked":true');
      const inOne = baselinePlan(`${naive.url}/in-transaction`, brief, '{"tracked":true');
      return {
        parser: () => measureWindow(generator, parserPlan, parser.meter),
        service: () => measureService(context, trackingPlan(context, shape)),
        echo: () => measureWindow(generator, baselinePlan(echo.url, brief, '{"ev'), echo.meter),
        naive: () => measureWindow(generator, naivePlan, naiveMeter),
        naiveInOne: () => measureWindow(generator, inOne, naiveMeter),
        parse: () => parse.cost(seconds),
      };
    };
    await interleave(1, contestants(warm_up_seconds));
    const windows = await interleave(options.windows, contestants(options.windowSeconds));
    return toRows(windows, acceptName(service));
  } finally {
    await Promise.all([parser, echo, naive, parse].map((baseline) => baseline.stop()));
  }
}

type Windows = Record<
  'parser' | 'service' | 'echo' | 'naive' | 'naiveInOne',
  readonly LoadWindow[]
> & {
  readonly parse: readonly number[];
};

function toRows(windows: Windows, cost: string): readonly BenchRow[] {
  const { parser, service, echo, parse } = windows;
  const accept = service.map(({ cpu }) => acceptSeconds(cpu));
  const costOf = (windows: readonly LoadWindow[]) => windows.map(({ cpu }) => cpu['server']!);
  return [
    {
      figure: `batch accept (${load}), ${cost} ÷ node:http + JSON.parse`,
      measured: `${us(median(accept))} an event`,
      baseline: us(median(costOf(parser))),
      value: medianRatio(accept, costOf(parser)),
      unit: '',
      bar: { kind: 'at most', now: 10.5, next: 7.5 },
      notes: [
        `service ${perSecond(service, 'events')}, ${latencies(service)}`,
        `baseline ${perSecond(parser, 'events')}, ${latencies(parser)}`,
        ...serviceParts(service),
      ],
    },
    {
      figure: `batch accept, ${cost} ÷ raw Fastify echo`,
      measured: `${us(median(accept))} an event`,
      baseline: us(median(costOf(echo))),
      value: medianRatio(accept, costOf(echo)),
      unit: '',
      bar: null,
      notes: [`echo ${perSecond(echo, 'events')}, ${latencies(echo)}`],
    },
    {
      figure: `batch accept, ${cost} ÷ JSON.parse alone`,
      measured: `${us(median(accept))} an event`,
      baseline: us(median(parse)),
      value: medianRatio(accept, parse),
      unit: '',
      bar: null,
      notes: [],
    },
    ...toNaiveRows(windows, accept),
  ];
}

const naiveCost = ({ cpu }: LoadWindow) => cpu['server']! + cpu['postgres']!;

function toNaiveRows(windows: Windows, accept: readonly number[]): readonly BenchRow[] {
  const { service, naive, naiveInOne } = windows;
  const rateOf = (measured: readonly LoadWindow[]) =>
    measured.map(({ unitsPerSecond }) => unitsPerSecond);
  const parts = (measured: readonly LoadWindow[]) =>
    `naive: Node ${us(median(measured.map(({ cpu }) => cpu['server']!)))} + Postgres ` +
    `${us(median(measured.map(({ cpu }) => cpu['postgres']!)))} an event, ` +
    `${perSecond(measured, 'events')}, ${latencies(measured)}`;
  return [
    {
      figure: `the naive way (${naive_events} × ${connections}) ÷ batch accept`,
      measured: `${us(median(accept))} an event`,
      baseline: us(median(naive.map(naiveCost))),
      value: medianRatio(naive.map(naiveCost), accept),
      unit: '',
      bar: { kind: 'at least', now: 6, next: 12 },
      notes: [
        parts(naive),
        `events/s of the service ÷ of the naive way, which has no worker and no projector: ` +
          short(medianRatio(rateOf(service), rateOf(naive))),
      ],
    },
    {
      figure: 'the naive way in one transaction ÷ batch accept',
      measured: `${us(median(accept))} an event`,
      baseline: us(median(naiveInOne.map(naiveCost))),
      value: medianRatio(naiveInOne.map(naiveCost), accept),
      unit: '',
      bar: null,
      notes: [parts(naiveInOne)],
    },
  ];
}
