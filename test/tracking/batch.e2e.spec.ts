import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startSpecService, type SpecService } from '../support/service.js';
import { idsOf, newEvent, trackEvent } from '../support/tracking-events.js';

let service: SpecService;

beforeAll(async () => {
  service = await startSpecService();
});

afterAll(() => service.stop());

const track = (body: unknown, headers?: Record<string, string>) =>
  trackEvent(service, body, headers);

const not_tracked = { tracked: false, duplicate: false, ignored: false };

describe('POST /api/usage/track/batch', () => {
  const batch = (events: readonly unknown[]) => service.post('/api/usage/track/batch', { events });

  it('stores 500 events, finds 500 duplicates in a repeat, and 409 once one changed', async () => {
    const events = Array.from({ length: 500 }, () => newEvent());
    const first = await batch(events);
    expect(first).toMatchObject({
      status: 200,
      body: { received: 500, stored: 500, duplicates: 0 },
    });
    const ids = idsOf(first.body);
    expect(new Set(ids).size).toBe(500);

    const repeat = await batch(events);
    expect(repeat).toMatchObject({ status: 200, body: { stored: 0, duplicates: 500 } });
    expect(idsOf(repeat.body)).toEqual(ids);

    const extra = newEvent();
    const changed = [...events.slice(0, 498), { ...events[498]!, latency_ms: 1 }, extra];
    const conflict = await batch(changed);
    expect(conflict).toMatchObject({
      status: 409,
      body: {
        code: 'idempotency_conflict',
        errors: [{ pointer: '/events/498', changedFields: ['/events/498/latency_ms'] }],
      },
    });
    // Nothing of the refused batch was stored: its one new event is still new.
    expect((await track(extra)).body).toMatchObject({ duplicate: false });
  });

  it('is all or nothing when one event is not valid', async () => {
    const good = newEvent();
    const { status, body } = await batch([good, newEvent({ tokens_consumed: -1 })]);
    expect(status).toBe(400);
    expect(body).toMatchObject({
      code: 'invalid_field',
      errors: [{ pointer: '/events/1/tokens_consumed' }],
    });
    expect((await track(good)).body).toMatchObject({ duplicate: false });
  });

  it('calls a repeat inside the batch a duplicate, and other content a conflict', async () => {
    const sent = newEvent();
    const repeated = await batch([sent, newEvent(), sent]);
    expect(repeated.body).toMatchObject({ stored: 2, duplicates: 1 });
    const again = newEvent();
    const contradicting = await batch([again, { ...again, source: 'x' }]);
    expect(contradicting.status).toBe(409);
    expect(contradicting.body).toMatchObject({
      errors: [
        {
          pointer: '/events/1',
          detail: 'Another event of this batch has the same key and another content.',
        },
      ],
    });
    expect((await track(again)).body).toMatchObject({ duplicate: false });
  });

  it('gives each event its own result when the client prefers lenient handling', async () => {
    const lenient = (events: readonly unknown[]) =>
      service.post('/api/usage/track/batch', { events }, { prefer: 'handling=lenient' });
    const stored = newEvent();
    await track(stored);
    const mixed = await lenient([
      newEvent(),
      newEvent({ event_name: 'NO_SUCH_NAME' }),
      { ...stored, source: 'x' },
      stored,
    ]);
    expect(mixed).toMatchObject({
      status: 207,
      body: {
        tracked: true,
        received: 4,
        stored: 1,
        duplicates: 1,
        results: [
          { index: 0, status: 200, tracked: true, duplicate: false },
          {
            index: 1,
            status: 400,
            ...not_tracked,
            code: 'unknown_event_name',
            errors: [{ pointer: '/events/1/event_name' }],
          },
          {
            index: 2,
            status: 409,
            ...not_tracked,
            code: 'idempotency_conflict',
            changedFields: ['/events/2/source'],
          },
          { index: 3, status: 200, tracked: true, duplicate: true },
        ],
      },
    });
    expect(await lenient([newEvent(), newEvent()])).toMatchObject({
      status: 200,
      body: { stored: 2 },
    });
    const undecided = await service.post(
      '/api/usage/track/batch',
      { events: [newEvent(), {}] },
      { prefer: 'handling=strict, handling=lenient' },
    );
    expect(undecided.status).toBe(400);
    expect(await lenient([{}, {}])).toMatchObject({ status: 400, body: { stored: 0 } });
  });

  it('gives a line that is no JSON a result of its own when handling is lenient', async () => {
    const type = { 'content-type': 'application/x-ndjson; charset=utf-8' };
    const lines = `${JSON.stringify(newEvent())}\n{"event_name": x}\n${JSON.stringify(newEvent())}`;
    const send = (headers: Record<string, string>) =>
      service.post('/api/usage/track/batch', lines, { ...type, ...headers });
    expect(await send({ prefer: 'handling=lenient' })).toMatchObject({
      status: 207,
      body: {
        stored: 2,
        results: [
          { status: 200 },
          {
            status: 400,
            ...not_tracked,
            code: 'invalid_json',
            errors: [{ pointer: '/events/1', detail: expect.stringContaining('position 15') }],
          },
          { status: 200 },
        ],
      },
    });
    expect(await send({})).toMatchObject({
      status: 400,
      body: { code: 'invalid_json', index: 1, position: 15 },
    });
  });

  it('refuses an empty batch, one without events and one over the maximum', async () => {
    expect(await batch([])).toMatchObject({ status: 400, body: { code: 'empty_batch' } });
    const nothing = await service.post('/api/usage/track/batch', { event: {} });
    expect(nothing).toMatchObject({ status: 400, body: { errors: [{ pointer: '/events' }] } });
    const { batchEventsMax } = service.config;
    const large = await batch(Array.from({ length: batchEventsMax + 1 }, () => ({})));
    expect(large).toMatchObject({
      status: 400,
      body: { code: 'batch_too_large', maximum: batchEventsMax },
    });
  });
});
