import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

/** What an organization tracks; linked to the tool under which its adoption is published. */
@Entity({ name: 'product' })
export class ProductRecord {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'organization_id' })
  organizationId!: string;

  @Column('uuid', { name: 'tool_id', nullable: true })
  toolId!: string | null;

  @Column('text')
  slug!: string;

  @Column('text')
  name!: string;

  @Column('text')
  type!: string;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at' })
  createdAt!: Date;
}
