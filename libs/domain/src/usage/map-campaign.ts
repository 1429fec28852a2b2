import type { KnownCampaign, MappingDirectory } from './mapping-directory.js';
import type { NextFix } from './next-fix.js';
import type { SentUsageEvent } from './sent-usage-event.js';

/** `campaign` of a mapping, as the wire has it. */
export interface CampaignMapping {
  /** The slug of a registered campaign, else the text as sent. */
  readonly campaignId: string | null;
  readonly source: string | null;
  /** `none`: the attribution names no campaign, only a source. */
  readonly resolution: 'registered' | 'unregistered' | 'none';
}

export interface CampaignFinding {
  /** Null when the event has no attribution. */
  readonly campaign: CampaignMapping | null;
  readonly nextFixes: readonly NextFix[];
}

const pointer = '/context/attribution/campaignId';
const unattributed: CampaignFinding = { campaign: null, nextFixes: [] };

/**
 * The campaign that `context.attribution` names, by id or slug. An unregistered one is kept as
 * sent, so that registering it later explains what is there already.
 * `occurredAt`: epoch milliseconds; null leaves out the comparison with the campaign's period.
 */
export function mapCampaign(
  sent: SentUsageEvent,
  occurredAt: number | null,
  directory: MappingDirectory,
): CampaignFinding {
  const misplaced = typeof sent['campaignId'] === 'string' ? [moveCampaignId] : [];
  const attribution = sent.context?.attribution ?? null;
  if (attribution === null) {
    return misplaced.length === 0 ? unattributed : { campaign: null, nextFixes: misplaced };
  }
  const campaignId = attribution.campaignId?.trim() || null;
  const source = attribution.source ?? null;
  if (campaignId === null) {
    return { campaign: { campaignId, source, resolution: 'none' }, nextFixes: misplaced };
  }
  const known =
    directory.campaigns.get(campaignId) ?? directory.campaigns.get(campaignId.toLowerCase());
  if (known === undefined) {
    return {
      campaign: { campaignId, source, resolution: 'unregistered' },
      nextFixes: [
        ...misplaced,
        {
          code: 'register_campaign',
          pointer,
          message:
            `No campaign "${campaignId}" is registered. Run "ops campaign create CAMPAIGN_ID ` +
            `--org ${directory.organizationSlug} --name NAME" with this id, or send a known one.`,
        },
      ],
    };
  }
  return {
    campaign: {
      campaignId: known.slug,
      source: source ?? known.source,
      resolution: 'registered',
    },
    nextFixes: [...misplaced, ...periodFixes(known, occurredAt)],
  };
}

// Spec 2.3: a top-level `campaignId` is not part of the schema.
const moveCampaignId: NextFix = {
  code: 'move_campaign_id',
  pointer: '/campaignId',
  message: 'A top-level campaignId counts for nothing; send it as context.attribution.campaignId.',
};

function periodFixes(campaign: KnownCampaign, occurredAt: number | null): readonly NextFix[] {
  if (occurredAt === null) return [];
  const { startsAt, endsAt, slug } = campaign;
  const early = startsAt !== null && occurredAt < startsAt;
  const late = endsAt !== null && occurredAt >= endsAt;
  if (!early && !late) return [];
  const at = new Date((early ? startsAt : endsAt)!).toISOString();
  return [
    {
      code: 'campaign_not_running',
      pointer,
      message:
        `The campaign "${slug}" ${early ? `begins only at ${at}` : `ended at ${at}`}; ` +
        'check occurredAt, or send the campaign that was running.',
    },
  ];
}
