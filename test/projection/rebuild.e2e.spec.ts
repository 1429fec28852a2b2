import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openClickhouse, type Clickhouse } from '#clickhouse/clickhouse.js';
import { usageAcceptedTopic, usageReceivedTopic } from '#contracts/topics.js';
import type { EventLog } from '#event-log/event-log.js';
import { openEventLog } from '#event-log/open-event-log.js';
import { adoptionVersion } from '#read-models/adoption-version/adoption-version.js';
import { createLogger } from '#runtime/logger.js';
import { clerk_group } from '../../apps/ingest-worker/src/ingest-worker.js';
import { eventually } from '../support/eventually.js';
import { startSpecService, type Answer, type SpecService } from '../support/service.js';
import { newEvent } from '../support/tracking-events.js';
import { runProjection } from './ops-process.js';

const batch_events = 200;
const developers = 60;
const accounts = 12;
const version = ['adoption', '--version', '2'];

let service: SpecService;
let log: EventLog;
let clickhouse: Clickhouse;

beforeAll(async () => {
  service = await startSpecService({
    RATE_LIMIT_PUBLIC_READ: '1000000/60',
    RATE_LIMIT_DEFAULT: '1000000/60',
  });
  await service.startClerk();
  await service.startProjector();
  log = await openEventLog(service.config, createLogger('spec', 'silent'));
  clickhouse = openClickhouse({ url: service.config.clickhouseUrl!, app: 'spec' });
});
afterAll(async () => {
  await clickhouse.close();
  await log.close();
  await service.stop();
});

const batchOf = (round: number) => ({
  events: Array.from({ length: batch_events }, (_, index) =>
    newEvent({
      idempotencyKey: `round-${round}-${index}`,
      developer_id: `developer-${(round * 7 + index) % developers}`,
      account_domain: `account-${((round * 7 + index) % developers) % accounts}.example`,
    }),
  ),
});

async function send(round: number): Promise<void> {
  const { status } = await service.post('/api/usage/track/batch', batchOf(round));
  expect(status).toBe(200);
}

const page = async () => (await service.get('/api/v1/adoption')).body;

/** Publishes, and waits until the new epoch is served. */
async function nextPage(): Promise<Answer['body']> {
  const epoch = await service.publish();
  return eventually(page, (body) => body['epoch'] === epoch);
}

const rowsOf = (body: Answer['body']) =>
  body['rows'] as readonly { readonly status: string; readonly [field: string]: unknown }[];

/** What readers and vendors saw: bodies by epoch, and everything that must not happen. */
interface Seen {
  readonly bodies: Map<number, Set<string>>;
  readonly wrong: string[];
  polls: number;
  batches: number;
}

/** Polls and sends as long as `work` goes on. */
async function busyWhile(work: () => Promise<void>): Promise<Seen> {
  const seen: Seen = { bodies: new Map(), wrong: [], polls: 0, batches: 0 };
  let stopped = false;
  let latest = 0;
  const poll = async () => {
    while (!stopped) {
      const answer = await fetch(`${service.baseUrl}/api/v1/adoption`);
      const text = await answer.text();
      const body = JSON.parse(text) as Answer['body'];
      const epoch = Number(body['epoch']);
      const row = rowsOf(body)[0];
      if (answer.status !== 200 || row?.status !== 'published') seen.wrong.push(text);
      if (epoch < latest) seen.wrong.push(`epoch ${epoch} after ${latest}`);
      latest = Math.max(latest, epoch);
      seen.bodies.set(epoch, (seen.bodies.get(epoch) ?? new Set()).add(text));
      seen.polls += 1;
    }
  };
  const stream = async () => {
    for (let round = 1; !stopped; round += 1) {
      await send(round);
      seen.batches += 1;
    }
  };
  const running = Promise.all([poll(), poll(), stream()]);
  try {
    await work();
  } finally {
    stopped = true;
    await running;
  }
  return seen;
}

/** A group has finished all that is in its topic. */
const finished = (group: string, topic: string) =>
  eventually(
    () => log.lag(group, topic),
    (lags) => lags.every(({ lag }) => lag === 0n),
    60_000,
  );

/** Everything that was sent is in both versions: the clerk first, then those who read of it. */
async function settle(): Promise<void> {
  await finished(clerk_group, usageReceivedTopic.name);
  for (const number of [1, 2]) {
    await finished(adoptionVersion(number).group, usageAcceptedTopic.name);
  }
}

const derivedRows = (number: number) =>
  clickhouse.rows(
    `SELECT * FROM ${adoptionVersion(number).tables.dev_day} ORDER BY ALL SETTINGS max_threads = 1`,
  );

describe('a rebuild while the service takes batches', () => {
  it('is killed half-way, resumes, verifies and cuts over, and no reader sees it', async () => {
    await send(0);
    await eventually(nextPage, (body) => rowsOf(body)[0]?.status === 'published');
    const seen = await busyWhile(async () => {
      const build = ['build', ...version, '--execute'];
      const killed = await runProjection(service.config, build, 'rebuild_after_step');
      expect(killed.signal).toBe('SIGKILL');
      await nextPage();
      const built = await runProjection(service.config, build);
      expect(built).toMatchObject({ code: 0, err: '', json: { resumed: true, version: 2 } });
      await nextPage();
      const verified = await runProjection(service.config, ['verify', ...version]);
      expect(verified).toMatchObject({ code: 0, err: '', json: { passed: true, differences: 0 } });
      expect(Number(verified.json['events'])).toBeGreaterThan(0);
      const cut = await runProjection(service.config, ['cutover', ...version, '--execute']);
      expect(cut).toMatchObject({ code: 0, err: '', json: { from: 1, to: 2 } });
      await nextPage();
    });
    expect(seen.wrong).toEqual([]);
    expect([...seen.bodies.values()].every((bodies) => bodies.size === 1)).toBe(true);
    expect(seen.bodies.size).toBeGreaterThanOrEqual(3);
    expect(seen.batches).toBeGreaterThan(3);
  });

  it('leaves the ranking of the first version, which a rollback brings back', async () => {
    await settle();
    const rebuilt = await nextPage();
    const derived = await derivedRows(2);
    const back = await runProjection(service.config, ['rollback', 'adoption', '--execute']);
    expect(back).toMatchObject({ code: 0, err: '', json: { from: 2, to: 1 } });
    const first = await nextPage();
    expect(Number(first['epoch'])).toBe(Number(rebuilt['epoch']) + 1);
    expect(rowsOf(first)).toEqual(rowsOf(rebuilt));
    expect(await derivedRows(1)).toEqual(derived);
    expect(derived.length).toBeGreaterThan(0);
  });

  it('is shown with every version there is', async () => {
    const { json } = await runProjection(service.config, ['status']);
    expect(json).toMatchObject([
      { version: 1, state: 'live', lag: 0 },
      { version: 2, state: 'following', lag: 0, verification: null },
    ]);
  });
});
