import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { SentUsageEvent } from '#domain/usage/sent-usage-event.js';
import type { MappingDirectory } from '#domain/usage/map-usage-event.js';
import type { LogRecord } from '#event-log/event-log.js';
import { fromReceivedRecord, type ReceivedEvent } from './decode-received.js';
import { AcceptedMappings } from './map-accepted.js';

const eventId = '0190b6f4-0000-5000-8000-000000000001';
const organizationId = '0190b6f4-0000-7000-8000-000000000002';
const productId = '0190b6f4-0000-7000-8000-000000000003';

const directory: MappingDirectory = {
  organizationSlug: 'acme',
  evidence: 'first_party',
  products: [{ id: productId, slug: 'code-search', name: 'Code "Search"', type: 'api' }],
  policies: [],
  campaigns: new Map(),
  ownDomains: new Set(['acme.example']),
};

interface Around {
  readonly emailDomain?: string | null;
  readonly keyProductId?: string | null;
}

/** An event as the clerk reads it from the log. */
function received(event: SentUsageEvent, around: Around = {}): ReceivedEvent {
  const message = {
    eventId,
    organizationId,
    receivedAt: '2026-03-01T10:00:01.000Z',
    payloadHash: '0'.repeat(64),
    fieldHashes: '',
    ...around,
    event: { event_name: 'FIRST_API_CALL', developer_id: 'a'.repeat(64), ...event },
  };
  const value = Buffer.from(JSON.stringify(message));
  const read = fromReceivedRecord({ value, headers: {} } as unknown as LogRecord);
  if (read.kind !== 'received') throw new Error(`The event is ${read.reason}.`);
  return read;
}

const accept = (event: ReceivedEvent, mappings = new AcceptedMappings(directory)) =>
  JSON.parse(mappings.toAccepted(event, '7').body) as Record<string, unknown>;

const anyText = fc.constantFrom(null, 'code-search', 'Code "Search"', 'initech.com', ' 1:a', 'b');

/** The parts that mapping looks at. */
const anyParts = fc.record({
  account_domain: anyText,
  domain: anyText,
  id: anyText,
  name: anyText,
  campaignId: anyText,
  source: anyText,
  emailDomain: fc.constantFrom(null, 'globex.com'),
  keyProductId: fc.constantFrom(null, productId),
});
type Parts = typeof anyParts extends fc.Arbitrary<infer T> ? T : never;

/** Neighbours: an event and others that differ from it in one part each. */
const anyNeighbours = fc
  .tuple(anyParts, anyParts)
  .map(([one, other]) => [
    one,
    ...Object.keys(one).map((part) => ({ ...one, [part]: other[part as keyof Parts] })),
  ]);

function eventOf({ account_domain, domain, id, name, campaignId, source, ...around }: Parts) {
  const attribution = { campaignId, source };
  const event = { account_domain, account: { domain }, product: { id, name } };
  return received({ ...event, context: { attribution } }, around);
}

describe('accepted events', () => {
  it('carry what was mapped and what was measured', () => {
    const event = received({
      account_domain: 'app.initech.com',
      product: { name: 'Code "Search"' },
      context: { attribution: { campaignId: 'spring "26"', source: 'mail' } },
      occurredAt: '2026-03-01T10:00:00.500Z',
      tokens_consumed: 12,
      error_count: 0,
    });
    expect(accept(event)).toEqual({
      eventId,
      organizationId,
      productId,
      eventName: 'FIRST_API_CALL',
      eventFamily: 'activation',
      devKey: '7',
      accountKey: expect.stringMatching(/^\d+$/),
      accountDomain: 'initech.com',
      campaignId: 'spring "26"',
      campaignSource: 'mail',
      evidence: 'first_party',
      occurredAt: '2026-03-01T10:00:00.500Z',
      receivedAt: '2026-03-01T10:00:01.000Z',
      tokensConsumed: 12,
      creditCents: null,
      latencyMs: null,
      retryCount: null,
      errorCount: 0,
    });
  });

  it('have their times in UTC with milliseconds, and that of the claim that holds the id', () => {
    const event = received({ occurredAt: '2026-03-01T12:00:00+02:00' });
    expect(accept(event)['occurredAt']).toBe('2026-03-01T10:00:00.000Z');
    const held = { ...event, claim: { ...event.claim, receivedAt: Date.UTC(2026, 1, 28) } };
    expect(accept(held)['receivedAt']).toBe('2026-02-28T00:00:00.000Z');
    const timeless = received({});
    expect(accept(timeless)['occurredAt']).toBe('2026-03-01T10:00:01.000Z');
  });

  it('are mapped in company as they are alone', () => {
    fc.assert(
      fc.property(anyNeighbours, (neighbours) => {
        const together = new AcceptedMappings(directory);
        for (const parts of neighbours) {
          expect(accept(eventOf(parts), together)).toEqual(accept(eventOf(parts)));
        }
      }),
    );
  });
});
