import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

/** A campaign of an organization, to which events are attributed. */
@Entity({ name: 'campaign' })
export class CampaignRecord {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'organization_id' })
  organizationId!: string;

  /** The text that events carry as `campaignId`. */
  @Column('text')
  slug!: string;

  @Column('text')
  name!: string;

  @Column('text', { nullable: true })
  source!: string | null;

  @Column('timestamptz', { name: 'starts_at', nullable: true })
  startsAt!: Date | null;

  @Column('timestamptz', { name: 'ends_at', nullable: true })
  endsAt!: Date | null;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at' })
  createdAt!: Date;
}
