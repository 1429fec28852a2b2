import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { MappingDirectory } from '#domain/usage/map-usage-event.js';
import { readUsageEvent } from '#domain/usage/read-usage-event.js';
import type { SentUsageEvent } from '#domain/usage/sent-usage-event.js';
import { KnownMappings, type MappedEvent } from './known-mappings.js';

const now = Date.parse('2026-03-01T10:00:00.000Z');
const year_ms = 365 * 24 * 60 * 60 * 1000;

const directory: MappingDirectory = {
  organizationSlug: 'acme',
  evidence: 'first_party',
  products: [{ id: 'one', slug: 'code-search', name: 'Code Search', type: 'api' }],
  policies: [],
  campaigns: new Map([
    [
      'spring',
      { id: 'c', slug: 'spring', name: 'Spring', source: null, startsAt: now, endsAt: null },
    ],
  ]),
  ownDomains: new Set(['acme.example']),
};

const some = <T>(...values: T[]) => fc.option(fc.constantFrom(...values), { nil: undefined });
const anyMapped: fc.Arbitrary<MappedEvent> = fc
  .record({
    event_name: fc.constantFrom('API_CALL', 'INSTALL'),
    email: some('a@globex.example', 'b@gmail.com', 'c@acme.example'),
    account_domain: some('globex.example', 'initech.example'),
    product: some<object>({ id: 'code-search' }, { name: 'Code Search' }, { name: 'Other' }),
    context: some<object>({ attribution: { campaignId: 'spring' } }),
    receivedAt: fc.constantFrom(now - 1000, now + 1000),
  })
  .map(({ receivedAt, email, ...rest }) => {
    const sent = { ...rest, email, developer_id: 'dev-1' } as unknown as SentUsageEvent;
    const rules = { keyKind: 'product', storing: false, receivedAt, ageMsMax: year_ms } as const;
    const verdict = readUsageEvent(sent, rules);
    if (verdict.kind === 'refused') throw new Error(JSON.stringify(verdict.findings));
    const emailDomain = email === undefined ? null : email.slice(email.indexOf('@') + 1);
    return { event: verdict.event, sent, emailDomain, receivedAt };
  });

describe('mappings that requests share', () => {
  it('are what each event would be given alone, however few of them are kept', () => {
    fc.assert(
      fc.property(fc.array(anyMapped), fc.integer({ min: 1, max: 4 }), (events, kept) => {
        const shared = new KnownMappings(directory, null, kept);
        for (const event of events) {
          const alone = new KnownMappings(directory, null, 1);
          expect(shared.mappingOf(event)).toEqual(alone.mappingOf(event));
        }
      }),
    );
  });

  it('are one and the same for events that are alike', () => {
    fc.assert(
      fc.property(anyMapped, anyMapped, (event, between) => {
        fc.pre(event.sent.context === undefined);
        const shared = new KnownMappings(directory, null, 10);
        const mapping = shared.mappingOf(event);
        shared.mappingOf(between);
        expect(shared.mappingOf({ ...event, receivedAt: event.receivedAt + 1 })).toBe(mapping);
      }),
    );
  });
});
