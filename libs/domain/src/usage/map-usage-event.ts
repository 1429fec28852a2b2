import { hash } from 'node:crypto';
import { mappedLabel } from '../evidence.js';
import type { AssignedFamily } from './event-catalogue.js';
import type { FamilySource } from './event-name.js';
import { mapAccount, type AccountMapping, type DomainLists } from './map-account.js';
import { mapCampaign, type CampaignMapping } from './map-campaign.js';
import { mapProduct, productFixes, type ProductMapping } from './map-product.js';
import type { MappingDirectory } from './mapping-directory.js';
import type { NextFix } from './next-fix.js';
import type { SentUsageEvent } from './sent-usage-event.js';
import { readUsageReceipt, type UsageReceiptSummary } from './usage-receipt.js';

export type { DomainLists } from './map-account.js';
export type { MappingDirectory } from './mapping-directory.js';

/** What mapping reads of an event; both the door and the clerk can provide it. */
export interface MappableEvent {
  readonly eventName: string;
  readonly eventFamily: AssignedFamily;
  readonly familySource: FamilySource;
  /** Product that a product key implies. */
  readonly keyProductId: string | null;
  readonly hasDeveloperId: boolean;
  readonly emailDomain: string | null;
  /** Epoch milliseconds; without it the periods of campaigns are not looked at. */
  readonly occurredAt?: number | null;
  readonly sent: SentUsageEvent;
}

/** `mapping` of a tracking answer, as the wire has it. */
export interface EventMapping {
  readonly eventName: string;
  readonly eventFamily: AssignedFamily;
  readonly familySource: FamilySource;
  readonly product: ProductMapping;
  readonly account: AccountMapping;
  readonly campaign: CampaignMapping | null;
  readonly identity: { readonly developer: 'id' | 'email' | 'id+email' };
  readonly usageReceipt: UsageReceiptSummary | null;
  readonly evidence: string;
  readonly nextFixes: readonly NextFix[];
}

/**
 * What an event counts for: product, account, campaign, identity, evidence. The door shows it in
 * its answers, the clerk decides with it; both run this function.
 */
export function mapUsageEvent(
  event: MappableEvent,
  directory: MappingDirectory,
  lists: DomainLists,
): EventMapping {
  const { sent } = event;
  const product = mapProduct(sent.product, event.keyProductId, directory.products);
  const account = mapAccount(sent, event.emailDomain, directory.ownDomains, lists);
  const campaign = mapCampaign(sent, event.occurredAt ?? null, directory);
  const receipt = readUsageReceipt(sent);
  return {
    eventName: event.eventName,
    eventFamily: event.eventFamily,
    familySource: event.familySource,
    product,
    account: account.account,
    campaign: campaign.campaign,
    identity: {
      developer: !event.hasDeveloperId ? 'email' : event.emailDomain === null ? 'id' : 'id+email',
    },
    usageReceipt: receipt.usageReceipt,
    evidence: mappedLabel(directory.evidence),
    nextFixes: [
      ...productFixes(product, sent.product, directory),
      ...account.nextFixes,
      ...campaign.nextFixes,
      ...receipt.nextFixes,
    ],
  };
}

/** The 64-bit key of an account in the column store, as a decimal string. */
export function accountKeyOf(registrableDomain: string): string {
  return hash('sha256', `account:${registrableDomain}`, 'buffer').readBigUInt64BE(0).toString();
}
