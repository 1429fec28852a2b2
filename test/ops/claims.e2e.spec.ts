import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventIdOf } from '#domain/usage/event-id.js';
import { eventually } from '../support/eventually.js';
import { readLogContents } from '../support/log-contents.js';
import { idsOf, newEvent } from '../support/tracking-events.js';
import { changedCopy, openVerifiedWorld, type VerifiedWorld } from './verified-world.js';

const entry = fileURLToPath(new URL('../../apps/ops/src/main.js', import.meta.url));

let world: VerifiedWorld;

beforeEach(async () => {
  world = await openVerifiedWorld();
});
afterEach(() => world.close());

const newEvents = (count: number) => Array.from({ length: count }, () => newEvent());
const changed = (event: object) => ({ ...event, latency_ms: 4_711 });
/** As a database that was lost does: with the names that speak for them. */
const loseClaims = () => world.database.query('truncate idempotency_claim, claim_group');
const storedClaims = () =>
  world.database.query<object[]>('select * from idempotency_claim order by event_id');
const claims = async () => (await storedClaims()).length;
const groupNames = async () =>
  (await world.database.query<object[]>('select from claim_group')).length;

async function rebuild(...options: string[]): Promise<Record<string, unknown>> {
  const { code, err, json } = await world.ops('claims', 'rebuild', '--json', ...options);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return json;
}

/** The record of an event that says something else, and was never acknowledged. */
async function appendOrphan(event: { readonly idempotencyKey: string }): Promise<void> {
  const [other] = idsOf((await world.send([newEvent()])).body);
  const eventId = eventIdOf(world.service.organizationId, event.idempotencyKey);
  const orphan = { ...changedCopy(await world.receivedOf(other!)), eventId };
  await world.appendReceived({ key: eventId, value: JSON.stringify(orphan) });
}

describe('ops claims rebuild', () => {
  it('says what is missing and changes nothing, until it is told to', async () => {
    await world.send(newEvents(20));
    await world.settle();
    await world.database.query(
      `delete from idempotency_claim
       where event_id in (select event_id from idempotency_claim limit 7)`,
    );
    const plan = { present: 13, missing: 7, conflicts: 0, events: 20, records: 20 };
    expect(await rebuild()).toMatchObject({ executed: false, plan });
    expect((await world.ops('claims', 'rebuild')).out).toContain('Nothing was changed');
    expect(await claims()).toBe(13);
    expect(await groupNames()).toBe(1);
    expect(await rebuild('--execute')).toMatchObject({ executed: true, present: 13, missing: 7 });
    expect(await groupNames()).toBe(0);
    expect((await world.ops('operations', 'list')).out).toContain('claims rebuild');
  });

  it('gives back every claim as it was: content, fields and time', async () => {
    const events = newEvents(20);
    const [first, second] = events;
    await appendOrphan(first!);
    // As if the answers had been uncertain: appended, rolled back, and sent again later.
    await world.send(events.slice(0, 10));
    await loseClaims();
    expect((await world.send(events)).body).toMatchObject({ stored: 20 });
    await world.appendChanged(eventIdOf(world.service.organizationId, second!.idempotencyKey));
    await world.settle();
    const before = await storedClaims();
    await loseClaims();
    expect(await rebuild('--execute')).toMatchObject({ missing: 21, conflicts: 0 });
    expect(await storedClaims()).toEqual(before);

    expect((await world.send(events)).body).toMatchObject({ duplicates: 20, stored: 0 });
    for (const event of [first!, second!]) {
      const answer = await world.send([changed(event)]);
      expect([answer.status, answer.body['code']]).toEqual([409, 'idempotency_conflict']);
    }
    await world.settle();
    const { accepted } = await readLogContents(world.service.config);
    expect(accepted.some(({ latencyMs }) => latencyMs === 77)).toBe(false);
    expect((await world.ops('verify', 'log')).code).toBe(0);
    expect((await world.ops('verify', 'ledger')).code).toBe(0);
  });

  it('gives back claims before the clerk has judged, and says which are ambiguous', async () => {
    const events = newEvents(5);
    await appendOrphan(events[0]!);
    await world.send(events);
    await loseClaims();
    expect(await rebuild()).toMatchObject({ plan: { events: 6, missing: 6, ambiguous: 1 } });
    expect(await rebuild('--execute')).toMatchObject({ missing: 6 });
    expect((await world.send(events.slice(1))).body).toMatchObject({ duplicates: 4 });
    await world.settle();
    expect((await world.ops('verify', 'log')).code).toBe(0);
  });

  it('never overwrites a claim that was made meanwhile, and names it', async () => {
    const events = newEvents(5);
    const ids = idsOf((await world.send(events)).body);
    await world.settle();
    await loseClaims();
    expect((await world.send([changed(events[2]!)])).body).toMatchObject({ stored: 1 });
    const made = await storedClaims();
    const { json, out } = await world.ops('claims', 'rebuild', '--execute', '--json');
    expect(json).toMatchObject({ missing: 4, conflicts: 1, conflictIds: [ids[2]] });
    expect(out).toContain(ids[2]);
    expect(await storedClaims()).toEqual(expect.arrayContaining(made));
  });
});

describe('a rebuild that is killed', () => {
  it('is continued by the next run, which makes the rest', async () => {
    await world.send(newEvents(150));
    await world.settle();
    const before = await storedClaims();
    await loseClaims();
    const slow = ['claims', 'rebuild', '--execute', '--rate', '20'];
    const env = { PATH: process.env['PATH'], ...world.environment };
    const child = spawn(process.execPath, [entry, ...slow], { env });
    const ended = once(child, 'exit');
    await eventually(claims, (count) => count >= 20);
    child.kill('SIGKILL');
    expect((await ended)[1]).toBe('SIGKILL');
    const made = await claims();
    expect(made).toBeLessThan(150);
    const plan = await rebuild();
    const { done } = plan['unfinished'] as { done: number };
    expect(done).toBeGreaterThan(0);
    const result = await rebuild('--execute');
    expect(result).toMatchObject({ executed: true, resumed: true, conflicts: 0 });
    expect(await storedClaims()).toEqual(before);
    expect(await rebuild()).toMatchObject({ unfinished: null, plan: { present: 150, missing: 0 } });
  });
});

describe('a rebuild beside a running service', () => {
  it('neither blocks it nor makes an answer of it wrong', async () => {
    const old = newEvents(400);
    await world.send(old);
    await world.settle();
    await loseClaims();
    await world.service.startClerk();
    let running = true;
    const rebuilt = rebuild('--execute', '--rate', '150').finally(() => (running = false));
    let sent = 0;
    while (running) {
      const events = newEvents(10);
      expect((await world.send(events)).body).toMatchObject({ stored: 10, duplicates: 0 });
      expect((await world.send(events)).body).toMatchObject({ stored: 0, duplicates: 10 });
      expect((await world.send([changed(events[0]!)])).status).toBe(409);
      sent += 10;
    }
    expect(await rebuilt).toMatchObject({ missing: 400, conflicts: 0 });
    expect(sent).toBeGreaterThan(0);
    expect(await claims()).toBe(400 + sent);
    expect((await world.send(old)).body).toMatchObject({ duplicates: 400 });
    const [deadlocks] = await world.database.query<{ deadlocks: string }[]>(
      'select deadlocks from pg_stat_database where datname = current_database()',
    );
    expect(Number(deadlocks!.deadlocks)).toBe(0);
    expect((await world.ops('verify', 'ledger')).code).toBe(0);
  });
});
