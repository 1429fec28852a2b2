import { describe, expect, it } from '@jest/globals';
import type { EventMapping } from '#domain/usage/map-usage-event.js';
import type { TrackedResult } from '../tracking-answers.js';
import { toBatchJson } from './batch-json.js';

const mapping = { eventName: 'FIRST_API_CALL', product: { name: 'A "quoted" – name' } };

const tracked = (index: number, duplicate: boolean): TrackedResult => ({
  index,
  status: 200,
  tracked: true,
  eventId: '0192f1f0-0000-7000-8000-00000000000a',
  duplicate,
  ignored: false,
  occurredAt: '2026-05-22T10:00:00.000Z',
  occurredAtSource: duplicate ? 'request' : 'received',
  receivedAt: '2026-05-22T10:00:01.000Z',
  mapping: mapping as unknown as EventMapping,
});

describe('the JSON of a batch answer', () => {
  it('is what JSON.stringify writes, for results of every kind', () => {
    const refused = {
      index: 2,
      status: 400,
      tracked: false,
      code: 'x',
      errors: [{ pointer: '"' }],
    };
    const ignored = { index: 3, status: 202, tracked: false, ignored: true, mapping };
    const results = [tracked(0, false), tracked(1, true), refused, ignored];
    const body = { tracked: true, received: 4, stored: 1, duplicates: 1, ignored: 1, results };
    expect(toBatchJson(body).toString()).toBe(JSON.stringify(body));
  });

  it('grows with what is written', () => {
    const long = { index: 0, status: 400, tracked: false, code: 'ü'.repeat(10_000) };
    const body = { tracked: false, results: [long, long, tracked(2, false)] };
    expect(toBatchJson(body).toString()).toBe(JSON.stringify(body));
  });
});
