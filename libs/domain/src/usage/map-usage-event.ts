import { hash } from 'node:crypto';
import type { EvidenceLabel } from '../evidence.js';
import type { AssignedFamily } from './event-catalogue.js';
import type { FamilySource } from './event-name.js';
import { asciiDomain } from './identity.js';
import type { SentUsageEvent } from './sent-usage-event.js';

export interface KnownProduct {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly type: string;
}

/** What an organization has registered, as far as mapping needs it. */
export interface MappingDirectory {
  readonly evidence: EvidenceLabel;
  readonly products: readonly KnownProduct[];
}

/** Knowledge of the public domain-name system, from maintained lists. */
export interface DomainLists {
  /** `app.example.co.uk` → `example.co.uk`; null for what is no registrable domain. */
  readonly registrableDomain: (host: string) => string | null;
  /** Free-mail and disposable providers: their domains are no accounts. */
  readonly isFreeMail: (domain: string) => boolean;
}

/** What mapping reads of an event; both the door and the clerk can provide it. */
export interface MappableEvent {
  readonly eventName: string;
  readonly eventFamily: AssignedFamily;
  readonly familySource: FamilySource;
  /** Product that a product key implies. */
  readonly keyProductId: string | null;
  readonly hasDeveloperId: boolean;
  readonly emailDomain: string | null;
  readonly sent: SentUsageEvent;
}

export interface NextFix {
  readonly code: string;
  readonly pointer: string;
  readonly message: string;
}

export interface ProductMapping {
  readonly id: string | null;
  readonly name: string | null;
  readonly type: string | null;
  readonly version: string | null;
  readonly resolution: 'key' | 'id' | 'slug' | 'name' | 'unresolved';
}

export interface AccountMapping {
  readonly domain: string | null;
  readonly name: string | null;
  readonly resolution: 'account_domain' | 'account.domain' | 'email_domain' | 'unresolved';
}

/** `mapping` of a tracking answer, as the wire has it. */
export interface EventMapping {
  readonly eventName: string;
  readonly eventFamily: AssignedFamily;
  readonly familySource: FamilySource;
  readonly product: ProductMapping;
  readonly account: AccountMapping;
  readonly campaign: {
    readonly campaignId: string | null;
    readonly source: string | null;
    readonly resolution: 'as_sent';
  } | null;
  readonly identity: { readonly developer: 'id' | 'email' | 'id+email' };
  readonly usageReceipt: {
    readonly contract: 'service-usage-receipt-v1';
    readonly receiptType: string | null;
  } | null;
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
  const product = mapProduct(event, directory.products);
  const account = mapAccount(event, lists);
  const attribution = event.sent.context?.attribution ?? null;
  const receipt = event.sent.metadata?.['usageReceipt'];
  return {
    eventName: event.eventName,
    eventFamily: event.eventFamily,
    familySource: event.familySource,
    product,
    account,
    campaign: attribution && {
      campaignId: attribution.campaignId ?? null,
      source: attribution.source ?? null,
      resolution: 'as_sent',
    },
    identity: {
      developer: !event.hasDeveloperId ? 'email' : event.emailDomain === null ? 'id' : 'id+email',
    },
    usageReceipt: isObject(receipt)
      ? {
          contract: 'service-usage-receipt-v1',
          receiptType: typeof receipt['receiptType'] === 'string' ? receipt['receiptType'] : null,
        }
      : null,
    evidence: directory.evidence.replace('_', '-'),
    nextFixes: nextFixes(product, account),
  };
}

/** The 64-bit key of an account in the column store, as a decimal string. */
export function accountKeyOf(registrableDomain: string): string {
  return hash('sha256', `account:${registrableDomain}`, 'buffer').readBigUInt64BE(0).toString();
}

function mapProduct(event: MappableEvent, products: readonly KnownProduct[]): ProductMapping {
  const sent = event.sent.product ?? {};
  const named = [sent.id, sent.name].filter((text): text is string => typeof text === 'string');
  const attempts: readonly (readonly [
    ProductMapping['resolution'],
    (product: KnownProduct) => boolean,
  ])[] = [
    ['key', ({ id }) => id === event.keyProductId],
    ['id', ({ id }) => id === sent.id?.toLowerCase()],
    ['slug', ({ slug }) => named.includes(slug)],
    ['name', ({ name }) => named.includes(name)],
  ];
  for (const [resolution, matches] of attempts) {
    const found = products.find(matches);
    if (found === undefined) continue;
    const { id, name, type } = found;
    return { id, name, type, version: sent.version ?? null, resolution };
  }
  return {
    id: null,
    name: sent.name ?? sent.id ?? null,
    type: sent.type ?? null,
    version: sent.version ?? null,
    resolution: 'unresolved',
  };
}

function mapAccount(event: MappableEvent, lists: DomainLists): AccountMapping {
  const { sent } = event;
  const name = sent.account?.name ?? null;
  const emailDomain =
    event.emailDomain !== null && lists.isFreeMail(event.emailDomain) ? null : event.emailDomain;
  const candidates = [
    ['account_domain', sent.account_domain],
    ['account.domain', sent.account?.domain],
    ['email_domain', emailDomain],
  ] as const;
  for (const [resolution, host] of candidates) {
    if (typeof host !== 'string' || host === '') continue;
    const domain = lists.registrableDomain(asciiDomain(host.trim()));
    if (domain !== null) return { domain, name, resolution };
  }
  return { domain: null, name, resolution: 'unresolved' };
}

function nextFixes(product: ProductMapping, account: AccountMapping): readonly NextFix[] {
  const fixes: NextFix[] = [];
  if (product.resolution === 'unresolved') {
    fixes.push({
      code: 'register_product',
      pointer: '/product',
      message: `Register the product "${product.name ?? ''}" or send the id of a registered one.`,
    });
  }
  if (account.resolution === 'unresolved') {
    fixes.push({
      code: 'add_account_domain',
      pointer: '/account_domain',
      message: 'Send account_domain, the domain of the customer who uses the product.',
    });
  }
  return fixes;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
