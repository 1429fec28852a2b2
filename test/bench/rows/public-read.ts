import { PublicationRequests } from '#postgres/publication/publication-requests.js';
import { eventually } from '../../support/eventually.js';
import {
  baseline_window_share,
  startBaseline,
  warm_up_seconds,
  type BenchContext,
} from '../bench-context.js';
import type { BenchRow } from '../bench-row.js';
import type { LoadRequest } from '../load-generator.js';
import { measureWindow, type LoadWindow } from '../load-window.js';
import { readServiceCpu } from '../service-cpu.js';
import { interleave, median, medianRatio } from '../statistics.js';
import { latencies, perSecond, us } from '../wording.js';

const connections = 32;
const publish_ms_max = 120_000;
const figures = [
  'public read, cached page: CPU of a static-string route ÷ CPU of the API',
  'public read, 304: CPU of a static-string route ÷ CPU of the API',
] as const;

/** The published ranking against a route that answers the same bytes from a string. */
export async function measurePublicRead(context: BenchContext): Promise<readonly BenchRow[]> {
  const { options, service, generator } = context;
  const url = `${service.baseUrl}/api/v1/adoption`;
  const etag = await publishedTag(context, url);
  if (etag === null) return figures.map(unmeasured);
  const page = await startBaseline('baseline', {
    environment: { BASELINE: 'static-page', PAGE_URL: url },
  });
  try {
    const contestants = (seconds: number) => {
      const plan = (address: string, status: number, headers = {}): LoadRequest => ({
        url: address,
        headers,
        eventsPerRequest: 0,
        connections,
        seconds,
        expected: { status, bodyStart: status === 200 ? '{"schemaVersion"' : '' },
      });
      const meter = () => readServiceCpu(service);
      const unchanged = plan(url, 304, { 'if-none-match': etag });
      return {
        page: () => measureWindow(generator, plan(`${page.url}/`, 200), page.meter),
        cached: () => measureWindow(generator, plan(url, 200), meter),
        unchanged: () => measureWindow(generator, unchanged, meter),
      };
    };
    await interleave(1, contestants(warm_up_seconds));
    const windows = await interleave(
      options.windows,
      contestants(options.windowSeconds * baseline_window_share),
    );
    return [
      toRow(figures[0], windows.cached, windows.page, { now: 0.5, next: 0.8 }),
      toRow(figures[1], windows.unchanged, windows.page, { now: 0.7, next: 0.8 }),
    ];
  } finally {
    await page.stop();
  }
}

/** The entity tag of the page of a fresh epoch; null while the API has no such page. */
async function publishedTag({ service }: BenchContext, url: string): Promise<string | null> {
  if ((await fetch(url)).status !== 200) return null;
  const epoch = await new PublicationRequests(service.database).publish(publish_ms_max);
  await eventually(
    async () => ((await (await fetch(url)).json()) as { readonly epoch: number | null }).epoch,
    (shown) => shown === epoch,
  );
  return (await fetch(url)).headers.get('etag');
}

function toRow(
  figure: string,
  measured: readonly LoadWindow[],
  page: readonly LoadWindow[],
  limits: { readonly now: number; readonly next: number },
): BenchRow {
  const own = measured.map(({ cpu }) => cpu['api']!);
  const still = page.map(({ cpu }) => cpu['server']!);
  return {
    figure,
    measured: `${us(median(own))} a request`,
    baseline: us(median(still)),
    value: medianRatio(still, own),
    unit: '',
    bar: { kind: 'at least', ...limits },
    notes: [
      `API ${perSecond(measured, 'requests')}, ${latencies(measured)}`,
      `static route ${perSecond(page, 'requests')}, ${latencies(page)}`,
    ],
  };
}

function unmeasured(figure: string): BenchRow {
  return {
    figure,
    measured: '–',
    baseline: '–',
    value: Number.NaN,
    unit: '',
    bar: null,
    notes: ['not measured: the API does not answer GET /api/v1/adoption with 200'],
  };
}
