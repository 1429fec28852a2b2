import { CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

/** A registrable domain of the organization itself. */
@Entity({ name: 'organization_domain' })
export class OrganizationDomainRecord {
  @PrimaryColumn('uuid', { name: 'organization_id' })
  organizationId!: string;

  @PrimaryColumn('text')
  domain!: string;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at' })
  createdAt!: Date;
}
