import { describe, expect, it } from '@jest/globals';
import { mapCampaign } from './map-campaign.js';
import type { KnownCampaign, MappingDirectory } from './mapping-directory.js';
import type { SentUsageEvent } from './sent-usage-event.js';

const spring: KnownCampaign = {
  id: '01890a5d-ac96-774b-bcce-b302099a8057',
  slug: 'spring-2026',
  name: 'Spring',
  source: 'newsletter',
  startsAt: Date.parse('2026-03-01T00:00:00Z'),
  endsAt: Date.parse('2026-06-01T00:00:00Z'),
};

const directory: MappingDirectory = {
  organizationSlug: 'acme',
  evidence: 'first_party',
  products: [],
  policies: [],
  campaigns: new Map([
    [spring.slug, spring],
    [spring.id, spring],
  ]),
  ownDomains: new Set(),
};

const may = Date.parse('2026-05-22T10:00:00Z');
const attributed = (attribution: { campaignId?: string; source?: string }): SentUsageEvent => ({
  context: { attribution },
});
const map = (sent: SentUsageEvent, occurredAt: number | null = may) =>
  mapCampaign(sent, occurredAt, directory);

describe('the campaign of an event', () => {
  it('is registered when context.attribution names one by slug or id', () => {
    for (const campaignId of [spring.slug, spring.id, spring.id.toUpperCase(), ' spring-2026 ']) {
      expect(map(attributed({ campaignId, source: 'docs' }))).toEqual({
        campaign: { campaignId: 'spring-2026', source: 'docs', resolution: 'registered' },
        nextFixes: [],
      });
    }
  });

  it("has the campaign's own source where the event names none", () => {
    expect(map(attributed({ campaignId: 'spring-2026' })).campaign?.source).toBe('newsletter');
  });

  it('is kept as sent when nobody registered it, with the command that does', () => {
    const { campaign, nextFixes } = map(attributed({ campaignId: 'autumn' }));
    expect(campaign).toEqual({ campaignId: 'autumn', source: null, resolution: 'unregistered' });
    expect(nextFixes).toHaveLength(1);
    expect(nextFixes[0]).toMatchObject({
      code: 'register_campaign',
      pointer: '/context/attribution/campaignId',
    });
    expect(nextFixes[0]!.message).toContain('ops campaign create');
    expect(nextFixes[0]!.message).toContain('--org acme');
  });

  it('is none when the attribution names a source alone, and null without attribution', () => {
    expect(map(attributed({ source: 'docs' })).campaign).toEqual({
      campaignId: null,
      source: 'docs',
      resolution: 'none',
    });
    expect(map({}).campaign).toBeNull();
    expect(map({ context: {} }).campaign).toBeNull();
  });

  it('does not come from a top-level campaignId; a fix says where to send it', () => {
    const { campaign, nextFixes } = map({ campaignId: 'spring-2026' });
    expect(campaign).toBeNull();
    expect(nextFixes.map(({ code, pointer }) => [code, pointer])).toEqual([
      ['move_campaign_id', '/campaignId'],
    ]);
  });

  it('still counts outside its period, and a fix says when it ran', () => {
    const codes = (at: string | null) => {
      const sent = attributed({ campaignId: 'spring-2026' });
      const { campaign, nextFixes } = map(sent, at === null ? null : Date.parse(at));
      expect(campaign?.resolution).toBe('registered');
      return nextFixes.map(({ code }) => code);
    };
    expect(codes('2026-03-01T00:00:00Z')).toEqual([]);
    expect(codes('2026-02-28T23:59:59Z')).toEqual(['campaign_not_running']);
    expect(codes('2026-06-01T00:00:00Z')).toEqual(['campaign_not_running']);
    expect(codes(null)).toEqual([]);
  });
});
