import type { DataSource } from 'typeorm';
import type { EvidenceLabel } from '#domain/evidence.js';
import type { MappingDirectory } from '#domain/usage/map-usage-event.js';
import { uuidv7 } from '#domain/text/uuidv7.js';
import { OrganizationRecord } from './organization.record.js';
import { OrganizationRules } from './organization-rules.js';
import { ProductRecord } from './product.record.js';
import { ToolRecord } from './tool.record.js';
import {
  TrackingKeyStore,
  type IssuedTrackingKey,
  type TrackingKeyDraft,
  type TrackingPrincipal,
} from './tracking-key-store.js';

export type { IssuedTrackingKey, TrackingPrincipal } from './tracking-key-store.js';

const uuid_pattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Organizations, their products and keys, and the tools under which products are published. */
export class DirectoryStore {
  readonly keys: TrackingKeyStore;
  readonly rules: OrganizationRules;

  constructor(private readonly database: DataSource) {
    this.keys = new TrackingKeyStore(database);
    this.rules = new OrganizationRules(database);
  }

  async createOrganization(draft: {
    readonly slug: string;
    readonly name: string;
    readonly evidence?: EvidenceLabel;
  }): Promise<string> {
    const id = uuidv7();
    await this.database
      .getRepository(OrganizationRecord)
      .insert({ id, evidence: 'first_party', ...draft });
    return id;
  }

  async createTool(draft: {
    readonly slug: string;
    readonly name: string;
    readonly categorySlug: string;
  }): Promise<string> {
    const id = uuidv7();
    await this.database.getRepository(ToolRecord).insert({ id, ...draft });
    return id;
  }

  async createProduct(draft: {
    readonly organizationId: string;
    readonly toolId: string | null;
    readonly slug: string;
    readonly name: string;
    readonly type: string;
  }): Promise<string> {
    const id = uuidv7();
    await this.database.getRepository(ProductRecord).insert({ id, ...draft });
    return id;
  }

  /** Oldest first. */
  organizations(): Promise<readonly OrganizationRecord[]> {
    return this.database.getRepository(OrganizationRecord).find({ order: { id: 'ASC' } });
  }

  /** The organization of this id or slug. */
  findOrganization(idOrSlug: string): Promise<OrganizationRecord | null> {
    return this.database.getRepository(OrganizationRecord).findOneBy(byIdOrSlug(idOrSlug));
  }

  findTool(slug: string): Promise<ToolRecord | null> {
    return this.database.getRepository(ToolRecord).findOneBy({ slug });
  }

  /** Oldest first. */
  products(organizationId: string): Promise<readonly ProductRecord[]> {
    return this.database
      .getRepository(ProductRecord)
      .find({ where: { organizationId }, order: { id: 'ASC' } });
  }

  /** The product of this id or slug within an organization. */
  findProduct(organizationId: string, idOrSlug: string): Promise<ProductRecord | null> {
    return this.database
      .getRepository(ProductRecord)
      .findOneBy({ organizationId, ...byIdOrSlug(idOrSlug) });
  }

  issueTrackingKey(draft: TrackingKeyDraft): Promise<IssuedTrackingKey> {
    return this.keys.issue(draft);
  }

  /** The principal of a key that exists, is not revoked and has not expired. */
  findPrincipal(secretHash: Buffer): Promise<TrackingPrincipal | null> {
    return this.keys.findPrincipal(secretHash);
  }

  /** What mapping needs to know of an organization; null when there is none of this id. */
  async mappingDirectory(organizationId: string): Promise<MappingDirectory | null> {
    const organization = await this.database
      .getRepository(OrganizationRecord)
      .findOneBy({ id: organizationId });
    if (organization === null) return null;
    const [products, policies, campaigns, domains] = await Promise.all([
      this.products(organizationId),
      this.rules.policies(organizationId),
      this.rules.campaigns(organizationId),
      this.rules.domains(organizationId),
    ]);
    return {
      organizationSlug: organization.slug,
      evidence: organization.evidence,
      products: products.map(({ id, slug, name, type }) => ({ id, slug, name, type })),
      policies,
      // An id is a UUID, so only a slug in the form of one could stand for two campaigns.
      campaigns: new Map([
        ...campaigns.map((campaign) => [campaign.slug, campaign] as const),
        ...campaigns.map((campaign) => [campaign.id, campaign] as const),
      ]),
      ownDomains: new Set(domains),
    };
  }
}

function byIdOrSlug(idOrSlug: string): { readonly id: string } | { readonly slug: string } {
  return uuid_pattern.test(idOrSlug) ? { id: idOrSlug.toLowerCase() } : { slug: idOrSlug };
}
