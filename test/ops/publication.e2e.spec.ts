import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readDirtyDays } from '#postgres/publication/dirty-days.js';
import { latestEpoch } from '#postgres/publication/published-epochs.js';
import type { PublicationReport, ReportedCell } from '#postgres/publication/publication-report.js';
import { Shutdown } from '#runtime/shutdown.js';
import { startProjector } from '../../apps/projector/src/projector.js';
import {
  cohortOf,
  openProjectorWorld,
  silent,
  type ProjectorWorld,
} from '../projector/projector-world.js';
import { eventually } from '../support/eventually.js';
import { first_version } from '../support/first-version.js';
import { runOps } from './ops-run.js';

let world: ProjectorWorld;
const shutdown = new Shutdown(silent);

beforeAll(async () => {
  world = await openProjectorWorld();
  Object.assign(world.config, { publishInterval: 'PT0S', probePort: 0 });
  const [large, small] = await Promise.all([world.addTool('large'), world.addTool('small')]);
  await world.addTool('unused');
  await world.accept([...cohortOf(large.productId, 60, 12), ...cohortOf(small.productId, 9, 3)]);
  await startProjector(world.config, silent, shutdown);
  await eventually(
    () => world.log.lag('projector-usage-v1', 'usage.accepted.v1'),
    (lags) => lags.every(({ lag }) => lag === 0n),
  );
});
afterAll(async () => {
  await shutdown.stop();
  await world.close();
});

const ops = (...parameters: string[]) =>
  runOps(parameters, { DATABASE_URL: world.config.databaseUrl! });

async function rehearsal(): Promise<PublicationReport> {
  const { code, json } = await ops('publish', '--dry-run', '--json');
  expect(code).toBe(0);
  return json as unknown as PublicationReport;
}

/** Everything that a publication writes, apart from days that any epoch computes again. */
async function traces() {
  const rows = async (table: string) =>
    (await world.clickhouse.rows(`SELECT * FROM ${table} ORDER BY ALL`)).length;
  const [requests] = await world.database.query<{ n: number }[]>(
    'select count(*)::int as n from publication_request where rehearsal',
  );
  return {
    latest: await latestEpoch(world.database.manager),
    dirty: await readDirtyDays(world.database.manager, first_version.daysModel),
    rows: await Promise.all(['adoption_rows', 'published_cohort', 'published_series'].map(rows)),
    requests: requests!.n,
  };
}

describe('a rehearsed publication', () => {
  it('says what would change, and leaves nothing behind', async () => {
    const before = await traces();
    expect(before).toMatchObject({ latest: null, rows: [0, 0, 0], requests: 0 });
    const report = await rehearsal();
    expect(report.epoch).toBe(1);
    expect(report.rows).toContainEqual({
      tool: 'large',
      period: '30d',
      before: null,
      after: { status: 'published', rank: 1, score: expect.any(Number), confidence: 'low' },
    });
    const [cell] = report.cells.filter(({ period, part }) => period === '7d' && part === 'all');
    expect(cell).toMatchObject({ tool: 'large', outcome: 'counted', before: null });
    expect(cell?.exact).toMatchObject({ developers: 60, accounts: 12, topAccountDevelopers: 5 });
    expect(await traces()).toEqual(before);
  });

  it('is what a publication then does, after which nothing would change', async () => {
    const { rows } = await rehearsal();
    expect((await ops('publish', '--json')).json).toEqual({ epoch: 1 });
    expect(await latestEpoch(world.database.manager)).toMatchObject({ epoch: 1 });
    expect(rows).toHaveLength(9);
    const traced = await traces();
    expect(await rehearsal()).toMatchObject({ epoch: 2, rows: [], cells: [] });
    expect(await traces()).toEqual(traced);
  });

  it('is told in lines to people', async () => {
    const { out } = await ops('publish', '--dry-run');
    expect(out).toMatch(/^Epoch 2 would be published as of .*; 0 days have new events\.$/m);
    expect(out).toContain('0 rows would change.');
  });
});

describe('ops explain', () => {
  it('names the step that decided about each cell of a tool, with exact counts', async () => {
    const { code, json } = await ops('explain', 'small', '--json');
    expect(code).toBe(0);
    const cells = json['cells'] as readonly ReportedCell[];
    expect(cells.every(({ tool, after }) => tool === 'small' && after === null)).toBe(true);
    expect(cells.find(({ period, part }) => period === '90d' && part === 'all')).toMatchObject({
      outcome: 'withheld',
      decidedBy: expect.any(String),
      exact: { developers: 9, accounts: 3 },
    });
    expect((await ops('explain', 'small')).out).toMatch(/small +first_party +7d +all +9\/3/);
  });

  it('says of a tool without events that it has none', async () => {
    expect((await ops('explain', 'unused')).out).toContain('It has no events in any period');
  });

  it('refuses a tool that the directory does not list', async () => {
    const { code, json } = await ops('explain', 'unheard-of', '--json');
    expect([code, json]).toMatchObject([1, { error: { code: 'tool_not_found' } }]);
  });
});
