import type { DataSource } from 'typeorm';
import { uuidv7 } from '#domain/text/uuidv7.js';
import type { KnownCampaign } from '#domain/usage/mapping-directory.js';
import type { IgnoredScope, ProductPolicy } from '#domain/usage/product-policy.js';
import { CampaignRecord } from './campaign.record.js';
import { OrganizationDomainRecord } from './organization-domain.record.js';
import { ProductPolicyRecord } from './product-policy.record.js';

export interface CampaignDraft {
  readonly organizationId: string;
  readonly slug: string;
  readonly name: string;
  readonly source?: string | null;
  readonly startsAt?: Date | null;
  readonly endsAt?: Date | null;
}

/** What an organization lays down: policies of products, campaigns, its own domains. */
export class OrganizationRules {
  constructor(private readonly database: DataSource) {}

  async createCampaign(draft: CampaignDraft): Promise<string> {
    const id = uuidv7();
    await this.database.getRepository(CampaignRecord).insert({ id, ...draft });
    return id;
  }

  /** Oldest first. */
  async campaigns(organizationId: string): Promise<readonly KnownCampaign[]> {
    const records = await this.database
      .getRepository(CampaignRecord)
      .find({ where: { organizationId }, order: { id: 'ASC' } });
    return records.map(({ id, slug, name, source, startsAt, endsAt }) => ({
      id,
      slug,
      name,
      source,
      startsAt: startsAt?.getTime() ?? null,
      endsAt: endsAt?.getTime() ?? null,
    }));
  }

  /** Adds what the product ignores; what it ignores already stays. `value`: see `IgnoredScope`. */
  async ignore(productId: string, scope: IgnoredScope, value: string | null): Promise<void> {
    await this.database
      .createQueryBuilder()
      .insert()
      .into(ProductPolicyRecord)
      .values({ id: uuidv7(), productId, scope, value })
      .orIgnore()
      .execute();
  }

  /** From now on everything of the product is tracked. */
  async trackAll(productId: string): Promise<void> {
    await this.database.getRepository(ProductPolicyRecord).delete({ productId });
  }

  /** The policies of all products of an organization, oldest first. */
  async policies(organizationId: string): Promise<readonly ProductPolicy[]> {
    return this.database.query<ProductPolicy[]>(
      `select policy.product_id as "productId", policy.scope, policy.value
       from product_policy policy join product on product.id = policy.product_id
       where product.organization_id = $1 order by policy.id`,
      [organizationId],
    );
  }

  /** Adds a registrable domain of the organization itself; one that is known already stays. */
  async addDomain(organizationId: string, domain: string): Promise<void> {
    await this.database
      .createQueryBuilder()
      .insert()
      .into(OrganizationDomainRecord)
      .values({ organizationId, domain })
      .orIgnore()
      .execute();
  }

  /** False when the organization had no such domain. */
  async removeDomain(organizationId: string, domain: string): Promise<boolean> {
    const { affected } = await this.database
      .getRepository(OrganizationDomainRecord)
      .delete({ organizationId, domain });
    return affected === 1;
  }

  /** In alphabetical order. */
  async domains(organizationId: string): Promise<readonly string[]> {
    const records = await this.database
      .getRepository(OrganizationDomainRecord)
      .find({ where: { organizationId }, order: { domain: 'ASC' } });
    return records.map(({ domain }) => domain);
  }
}
