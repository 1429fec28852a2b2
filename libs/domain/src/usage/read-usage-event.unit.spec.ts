import { describe, expect, it } from '@jest/globals';
import { readUsageEvent, type ReadingRules } from './read-usage-event.js';
import type { SentUsageEvent } from './sent-usage-event.js';

const day_ms = 86_400_000;
const now = Date.parse('2026-05-22T12:00:00Z');

const organization_rules: ReadingRules = {
  keyKind: 'organization',
  storing: true,
  receivedAt: now,
  ageMsMax: 400 * day_ms,
};

const complete: SentUsageEvent = {
  event_name: 'FIRST_API_CALL',
  developer_id: 'dev-1',
  product: { id: 'p' },
  idempotencyKey: 'k',
};

const read = (changes: SentUsageEvent, rules: Partial<ReadingRules> = {}) =>
  readUsageEvent({ ...complete, ...changes }, { ...organization_rules, ...rules });

const codes = (changes: SentUsageEvent, rules: Partial<ReadingRules> = {}) => {
  const verdict = read(changes, rules);
  return verdict.kind === 'read' ? [] : verdict.findings.map(({ code }) => code);
};

describe('reading a usage event', () => {
  it('needs a developer id or an e-mail address', () => {
    expect(codes({ developer_id: null })).toEqual(['missing_developer']);
    expect(codes({ developer_id: '  ' })).toEqual(['missing_developer']);
    expect(codes({ developer_id: null, email: 'ada@example.com' })).toEqual([]);
    expect(codes({ developer_id: null, userId: 'u' })).toEqual([]);
  });

  it('needs product and an idempotency key with an organization key', () => {
    expect(codes({ product: null })).toEqual(['missing_product']);
    expect(codes({ product: { type: 'api' } })).toEqual(['missing_product']);
    expect(codes({ product: { name: 'P' } })).toEqual([]);
    expect(codes({ idempotencyKey: null })).toEqual(['missing_idempotency_key']);
    expect(codes({ idempotencyKey: null, event_id: 'e' })).toEqual([]);
  });

  it('needs neither with a product key, and no idempotency key for a dry run', () => {
    const bare = { product: null, idempotencyKey: null };
    expect(codes(bare, { keyKind: 'product' })).toEqual([]);
    expect(codes({ idempotencyKey: null }, { storing: false })).toEqual([]);
  });

  it('refuses two spellings of a field with different values', () => {
    expect(codes({ developerId: 'other' })).toEqual(['conflicting_aliases']);
    expect(codes({ developerId: 'dev-1' })).toEqual([]);
    expect(codes({ event_id: 'other' })).toEqual(['conflicting_aliases']);
    expect(codes({ eventFamily: 'activation', event_family: 'intent' })).toContain(
      'conflicting_aliases',
    );
  });

  it('reports every finding, not only the first', () => {
    expect(codes({ event_name: 'nope', developer_id: null, product: null })).toEqual([
      'malformed_event_name',
      'missing_developer',
      'missing_product',
    ]);
  });

  it('refuses times over 24 hours ahead and older than what is kept', () => {
    const at = (ms: number) => ({ occurredAt: new Date(now + ms).toISOString() });
    expect(codes(at(day_ms))).toEqual([]);
    expect(codes(at(day_ms + 1))).toEqual(['occurred_in_future']);
    expect(codes(at(-400 * day_ms))).toEqual([]);
    expect(codes(at(-400 * day_ms - 1))).toEqual(['too_old']);
  });

  it('refuses an idempotency key that is no well-formed Unicode', () => {
    expect(codes({ idempotencyKey: 'a\ud800' })).toEqual(['invalid_field']);
  });

  it('lower-cases the e-mail address and writes its domain in ASCII', () => {
    const verdict = read({ email: 'Ada.Lovelace@BÜCHER.example' });
    expect(verdict).toMatchObject({
      event: { email: 'ada.lovelace@xn--bcher-kva.example' },
    });
  });

  it('takes userId for a developer id that is missing, and keeps it where it differs', () => {
    expect(read({ developer_id: null, userId: 'u' })).toMatchObject({
      event: { developerId: 'u', userId: null },
    });
    expect(read({ userId: 'u' })).toMatchObject({ event: { developerId: 'dev-1', userId: 'u' } });
  });
});
