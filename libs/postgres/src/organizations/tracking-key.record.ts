import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

/** A tracking key; only the SHA-256 of the key is kept. */
@Entity({ name: 'tracking_key' })
export class TrackingKeyRecord {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'organization_id' })
  organizationId!: string;

  /** Null for an organization key; a product key implies its product. */
  @Column('uuid', { name: 'product_id', nullable: true })
  productId!: string | null;

  @Column('bytea', { name: 'secret_hash' })
  secretHash!: Buffer;

  /** The first characters of the key, enough to recognise it in a list. */
  @Column('text', { name: 'display_prefix' })
  displayPrefix!: string;

  /** What its owner calls it; may be empty. */
  @Column('text', { default: '' })
  name!: string;

  /** Whether requests with this key must be signed (specification 5, rule 8). */
  @Column('boolean', { name: 'require_signature', default: false })
  requireSignature!: boolean;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at' })
  createdAt!: Date;

  /** End of the overlap in which a rotated key goes on working beside its successor. */
  @Column('timestamptz', { name: 'expires_at', nullable: true })
  expiresAt!: Date | null;

  /** The key that a rotation put in its place. */
  @Column('uuid', { name: 'successor_id', nullable: true })
  successorId!: string | null;

  @Column('timestamptz', { name: 'last_used_at', nullable: true })
  lastUsedAt!: Date | null;

  @Column('timestamptz', { name: 'revoked_at', nullable: true })
  revokedAt!: Date | null;
}
