import {
  baseline_window_share,
  baselinePlan,
  measureService,
  startBaseline,
  trackingPlan,
  type BenchContext,
} from '../bench-context.js';
import type { BenchRow } from '../bench-row.js';
import { treeSeconds } from '../cpu-time.js';
import { measureWindow, type LoadWindow } from '../load-window.js';
import { startParseAlone } from '../parse-alone.js';
import { acceptSeconds } from '../service-cpu.js';
import { interleave, median, medianRatio } from '../statistics.js';
import { latencies, perSecond, serviceParts, short, us } from '../wording.js';

const events = 500;
const connections = 8;
const warm_up_seconds = 1.5;
const load = `${events} × ${connections}`;
const api_and_postgres = 'CPU of API + Postgres';

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
      const naivePlan = baselinePlan(naive.url, brief, '{"tracked":true');
      return {
        parser: () => measureWindow(generator, parserPlan, parser.meter),
        service: () => measureService(context, trackingPlan(context, shape)),
        echo: () => measureWindow(generator, baselinePlan(echo.url, brief, '{"ev'), echo.meter),
        naive: () => measureWindow(generator, naivePlan, naiveMeter),
        parse: () => parse.cost(seconds),
      };
    };
    await interleave(1, contestants(warm_up_seconds));
    return toRows(await interleave(options.windows, contestants(options.windowSeconds)));
  } finally {
    await Promise.all([parser, echo, naive, parse].map((baseline) => baseline.stop()));
  }
}

type Windows = Record<'parser' | 'service' | 'echo' | 'naive', readonly LoadWindow[]> & {
  readonly parse: readonly number[];
};

function toRows({ parser, service, echo, naive, parse }: Windows): readonly BenchRow[] {
  const accept = service.map(({ cpu }) => acceptSeconds(cpu));
  const costOf = (windows: readonly LoadWindow[]) => windows.map(({ cpu }) => cpu['server']!);
  const naiveCost = naive.map(({ cpu }) => cpu['server']! + cpu['postgres']!);
  const rateOf = (windows: readonly LoadWindow[]) =>
    windows.map(({ unitsPerSecond }) => unitsPerSecond);
  return [
    {
      figure: `batch accept (${load}), ${api_and_postgres} ÷ node:http + JSON.parse`,
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
      figure: `batch accept, ${api_and_postgres} ÷ raw Fastify echo`,
      measured: `${us(median(accept))} an event`,
      baseline: us(median(costOf(echo))),
      value: medianRatio(accept, costOf(echo)),
      unit: '',
      bar: null,
      notes: [`echo ${perSecond(echo, 'events')}, ${latencies(echo)}`],
    },
    {
      figure: `batch accept, ${api_and_postgres} ÷ JSON.parse alone`,
      measured: `${us(median(accept))} an event`,
      baseline: us(median(parse)),
      value: medianRatio(accept, parse),
      unit: '',
      bar: null,
      notes: [],
    },
    {
      figure: 'batch accept, events/s ÷ the naive way',
      measured: perSecond(service, 'events'),
      baseline: perSecond(naive, 'events'),
      value: medianRatio(rateOf(service), rateOf(naive)),
      unit: '',
      bar: { kind: 'at least', now: 6, next: 12 },
      notes: [
        `CPU of the naive way ÷ of the service: ${short(medianRatio(naiveCost, accept))}`,
        `naive: Node ${us(median(costOf(naive)))} + Postgres ` +
          `${us(median(naive.map(({ cpu }) => cpu['postgres']!)))} an event, ${latencies(naive)}`,
      ],
    },
  ];
}
