import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

/** A tool of the public directory; adoption rows are published per tool. */
@Entity({ name: 'tool' })
export class ToolRecord {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  slug!: string;

  @Column('text')
  name!: string;

  @Column('text', { name: 'category_slug' })
  categorySlug!: string;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at' })
  createdAt!: Date;
}
