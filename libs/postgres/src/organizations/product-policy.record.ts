import type { IgnoredScope } from '#domain/usage/product-policy.js';
import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

/** One thing that a product does not want tracked. */
@Entity({ name: 'product_policy' })
export class ProductPolicyRecord {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'product_id' })
  productId!: string;

  @Column('text')
  scope!: IgnoredScope;

  /** Event name or environment; null for the whole product. */
  @Column('text', { nullable: true })
  value!: string | null;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at' })
  createdAt!: Date;
}
