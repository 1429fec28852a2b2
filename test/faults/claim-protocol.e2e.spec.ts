import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventIdOf } from '#domain/usage/event-id.js';
import { ClaimLedger } from '#postgres/claims/claim-ledger.js';
import type { FaultPoint } from '#runtime/fault-points.js';
import { eventually } from '../support/eventually.js';
import { startFaultyApp, type FaultyApp } from '../support/faulty-app.js';
import { readLogContents } from '../support/log-contents.js';
import { post, specEnvironment, startSpecService, type SpecService } from '../support/service.js';

let service: SpecService;
let faulty: FaultyApp | null = null;

beforeEach(async () => {
  service = await startSpecService();
});

afterEach(async () => {
  await faulty?.kill('SIGKILL');
  faulty = null;
  await service.stop();
});

const sent = {
  event_name: 'FIRST_API_CALL',
  developer_id: 'dev-1',
  product: { id: 'code-search' },
  idempotencyKey: 'the-key',
};
const changed = { ...sent, latency_ms: 7 };

const eventId = () => eventIdOf(service.organizationId, sent.idempotencyKey);
const track = async (body: object) => {
  const { status, body: answer } = await service.post('/api/usage/track', body);
  return { status, duplicate: answer['duplicate'], eventId: answer['eventId'] };
};
const contents = () => readLogContents(service.config);
const environment = () =>
  specEnvironment({
    databaseUrl: service.config.databaseUrl!,
    clickhouseUrl: service.config.clickhouseUrl!,
  });

/** Sends the event to an API that dies at `fault`; the client sees a broken connection. */
async function trackAndCrash(fault: FaultPoint): Promise<void> {
  faulty = await startFaultyApp('api', environment(), fault);
  const lost = post(`${faulty.baseUrl}/api/usage/track`, sent, service.organizationKey);
  await expect(lost).rejects.toThrow();
  expect(await faulty.ended).toBe('SIGKILL');
}

async function storedClaims(eventIds = [eventId()]): Promise<number> {
  const ledger = new ClaimLedger({
    databaseUrl: service.config.databaseUrl!,
    app: 'spec',
    connectionsMax: 1,
  });
  try {
    return (await ledger.find(eventIds)).size;
  } finally {
    await ledger.close();
  }
}

describe('an API killed before the append', () => {
  it('leaves nothing; a retry is new, changed or not', async () => {
    await trackAndCrash('before_append');
    expect(await contents()).toMatchObject({ received: [] });
    expect(await storedClaims()).toBe(0);
    expect(await track(changed)).toMatchObject({ status: 200, duplicate: false });
  });
});

describe('an API killed after the append and before the commit', () => {
  it('leaves a record without a claim; the same retry has the same id and one effect', async () => {
    await trackAndCrash('after_append_before_commit');
    expect((await contents()).received).toMatchObject([{ eventId: eventId() }]);
    expect(await storedClaims()).toBe(0);
    expect(await track(sent)).toEqual({ status: 200, duplicate: false, eventId: eventId() });
    await service.startClerk();
    await eventually(contents, ({ accepted }) => accepted.length >= 2);
    const { accepted, quarantined } = await contents();
    expect(new Set(accepted.map((event) => event.eventId))).toEqual(new Set([eventId()]));
    // Both copies say the same, times included, so that they collapse into one row.
    expect(accepted[1]).toEqual(accepted[0]);
    expect(quarantined).toEqual([]);
  });

  it('is adopted by the clerk; then the same retry is a duplicate, a changed one 409', async () => {
    await trackAndCrash('after_append_before_commit');
    await service.startClerk();
    await eventually(storedClaims, (claims) => claims === 1);
    expect(await track(sent)).toEqual({ status: 200, duplicate: true, eventId: eventId() });
    expect(await track(changed)).toMatchObject({ status: 409 });
    const { accepted } = await eventually(contents, (log) => log.accepted.length === 1);
    expect(accepted).toMatchObject([{ eventId: eventId(), latencyMs: null }]);
  });

  it('is superseded by a changed retry that comes before the clerk', async () => {
    await trackAndCrash('after_append_before_commit');
    expect(await track(changed)).toMatchObject({ status: 200, duplicate: false });
    await service.startClerk();
    const { accepted, quarantined } = await eventually(
      contents,
      (log) => log.accepted.length + log.quarantined.length === 2,
    );
    expect(accepted).toMatchObject([{ eventId: eventId(), latencyMs: 7 }]);
    expect(quarantined).toEqual([{ eventId: eventId(), reason: 'superseded' }]);
  });
});

describe('an API killed after the commit and before the answer', () => {
  it('has stored the event: the same retry is a duplicate, a changed one 409', async () => {
    await trackAndCrash('after_commit_before_answer');
    expect((await contents()).received).toHaveLength(1);
    expect(await track(sent)).toEqual({ status: 200, duplicate: true, eventId: eventId() });
    expect(await track(changed)).toMatchObject({ status: 409 });
    expect((await contents()).received).toHaveLength(1);
  });
});

describe('a clerk killed', () => {
  it.each<FaultPoint>(['clerk_after_adopt', 'clerk_after_accept'])(
    'at %s loses no event, and copies collapse by event id',
    async (fault) => {
      const ids = new Set<unknown>();
      for (let index = 0; index < 20; index += 1) {
        ids.add((await track({ ...sent, idempotencyKey: `key-${index}` })).eventId);
      }
      faulty = await startFaultyApp('ingest-worker', environment(), fault);
      expect(await faulty.ended).toBe('SIGKILL');
      await service.startClerk();
      const distinct = async () =>
        new Set((await contents()).accepted.map((event) => event.eventId));
      expect(await eventually(distinct, ({ size }) => size === ids.size)).toEqual(ids);
      expect((await contents()).quarantined).toEqual([]);
    },
  );
});

describe('an answer of 4xx', () => {
  it('has stored nothing', async () => {
    await track(sent);
    const before = await contents();
    const refused = [
      await track(changed),
      await track({ ...sent, event_name: 'NO_SUCH_NAME' }),
      await service.post('/api/usage/track/batch', {
        events: [{ ...sent, idempotencyKey: 'fresh' }, changed],
      }),
      await service.post('/api/usage/track', sent, { authorization: 'Bearer nobody' }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([409, 400, 409, 401]);
    expect(await contents()).toEqual(before);
    const fresh = eventIdOf(service.organizationId, 'fresh');
    expect(await storedClaims([eventId(), fresh])).toBe(1);
  });
});
