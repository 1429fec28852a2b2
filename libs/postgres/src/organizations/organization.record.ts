import type { EvidenceLabel } from '#domain/evidence.js';
import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

/** A company that sends events. */
@Entity({ name: 'organization' })
export class OrganizationRecord {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  slug!: string;

  @Column('text')
  name!: string;

  /** Label under which this organization's events are reported. */
  @Column('text', { default: 'first_party' })
  evidence!: EvidenceLabel;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at' })
  createdAt!: Date;
}
