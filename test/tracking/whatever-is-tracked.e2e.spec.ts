import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { openClickhouse, type Clickhouse } from '#clickhouse/clickhouse.js';
import { eventually } from '../support/eventually.js';
import { readLogContents } from '../support/log-contents.js';
import { oddEvent } from '../support/odd-events.js';
import { startSpecService, type SpecService } from '../support/service.js';
import { newEvent } from '../support/tracking-events.js';

const batches = 3;
const batch_events = 150;
/** Beside other specs on a busy machine. */
const projected_ms_max = 60_000;
const spec_ms_max = 120_000;

let service: SpecService;
let clickhouse: Clickhouse;

beforeEach(async () => {
  service = await startSpecService();
  clickhouse = openClickhouse({ url: service.config.clickhouseUrl!, app: 'spec' });
  await service.startClerk();
  await service.startProjector();
});

afterEach(async () => {
  await clickhouse.close();
  await service.stop();
});

interface Result {
  readonly status: number;
  readonly tracked: boolean;
  readonly eventId: string;
}

async function storedIds(): Promise<readonly string[]> {
  const rows = await clickhouse.rows<{ id: string }>(
    'SELECT toString(event_id) AS id FROM usage_events_v1 FINAL',
  );
  return rows.map(({ id }) => id).sort();
}

it(
  'whatever is tracked is projected, and holds up nothing behind it',
  async () => {
    const tracked: string[] = [];
    for (let batch = 0; batch < batches; batch += 1) {
      const odd = fc.sample(oddEvent, batch_events);
      const events = [
        ...odd.map((sent) => ({ ...sent, idempotencyKey: randomUUID() })),
        newEvent(),
      ];
      const lenient = { prefer: 'handling=lenient' };
      const { status, body } = await service.post('/api/usage/track/batch', { events }, lenient);
      expect(status).toBe(207);
      const results = body['results'] as readonly Result[];
      expect(new Set(results.map((result) => result.status))).toEqual(new Set([200, 400]));
      tracked.push(...results.filter((result) => result.tracked).map(({ eventId }) => eventId));
    }
    expect(tracked.length).toBeGreaterThan(batches + 10);
    const all = (stored: readonly string[]) => stored.length === tracked.length;
    expect(await eventually(storedIds, all, projected_ms_max)).toEqual(tracked.sort());
    const { accepted, quarantined } = await readLogContents(service.config);
    expect(accepted).toHaveLength(tracked.length);
    expect(quarantined).toEqual([]);
  },
  spec_ms_max,
);
