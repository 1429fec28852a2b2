import { IsNull, type DataSource } from 'typeorm';
import { credentialHash, displayPrefix, newCredential } from '#domain/credentials/credential.js';
import type { EvidenceLabel } from '#domain/evidence.js';
import type { MappingDirectory } from '#domain/usage/map-usage-event.js';
import { uuidv7 } from '#domain/text/uuidv7.js';
import { OrganizationRecord } from './organization.record.js';
import { ProductRecord } from './product.record.js';
import { ToolRecord } from './tool.record.js';
import { TrackingKeyRecord } from './tracking-key.record.js';

/** Whom a tracking key speaks for. */
export interface TrackingPrincipal {
  readonly keyId: string;
  readonly organizationId: string;
  /** The product that a product key implies. */
  readonly productId: string | null;
}

export interface IssuedTrackingKey {
  readonly keyId: string;
  /** The key itself, shown this once. */
  readonly trackingKey: string;
}

/** Organizations, their products and keys, and the tools under which products are published. */
export class DirectoryStore {
  constructor(private readonly database: DataSource) {}

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

  async issueTrackingKey(scope: {
    readonly organizationId: string;
    readonly productId: string | null;
  }): Promise<IssuedTrackingKey> {
    const trackingKey = newCredential('trackingKey');
    const keyId = uuidv7();
    await this.database.getRepository(TrackingKeyRecord).insert({
      id: keyId,
      ...scope,
      secretHash: credentialHash(trackingKey),
      displayPrefix: displayPrefix(trackingKey),
    });
    return { keyId, trackingKey };
  }

  async revokeTrackingKey(keyId: string): Promise<void> {
    await this.database
      .getRepository(TrackingKeyRecord)
      .update({ id: keyId, revokedAt: IsNull() }, { revokedAt: new Date() });
  }

  /** The principal of a key that exists and is not revoked. */
  async findPrincipal(secretHash: Buffer): Promise<TrackingPrincipal | null> {
    const key = await this.database
      .getRepository(TrackingKeyRecord)
      .findOneBy({ secretHash, revokedAt: IsNull() });
    if (key === null) return null;
    return { keyId: key.id, organizationId: key.organizationId, productId: key.productId };
  }

  /** What mapping needs to know of an organization; null when there is none of this id. */
  async mappingDirectory(organizationId: string): Promise<MappingDirectory | null> {
    const organization = await this.database
      .getRepository(OrganizationRecord)
      .findOneBy({ id: organizationId });
    if (organization === null) return null;
    const products = await this.database
      .getRepository(ProductRecord)
      .find({ where: { organizationId }, order: { id: 'ASC' } });
    return {
      evidence: organization.evidence,
      products: products.map(({ id, slug, name, type }) => ({ id, slug, name, type })),
    };
  }
}
