import type { DataSource } from 'typeorm';
import { generation_columns, type IdentityGeneration } from './identity-generation.js';

/** Blocks of the table in one page, which hold some 20 000 identities. */
const page_blocks = 200;

/** The identities in the blocks from `$1` on and before `$2`, in no order. */
const page_sql = `
  select ${generation_columns},
    (select string_agg(substring(identity_hash for 16) || int8send(dev_key), ''::bytea)
     from developer_identity
     where ctid >= format('(%s,0)', $1::bigint)::tid and ctid < format('(%s,0)', $2::bigint)::tid
    ) as identities`;

/** Identities that stand together in the table, as `IdentityMemory.putPage` takes them. */
export interface IdentityPage extends IdentityGeneration {
  readonly identities: Buffer | null;
}

/**
 * The registry page by page, newest first. Pages are blocks of the table: nothing is sorted and
 * no block is read twice. What moves meanwhile may be missed or met twice.
 */
export async function* readIdentityPages(database: DataSource): AsyncGenerator<IdentityPage> {
  const [table] = await database.query<{ blocks: number }[]>(
    `select (pg_relation_size('developer_identity') / current_setting('block_size')::int)::int
       as blocks`,
  );
  for (let end = table!.blocks; end > 0; end -= page_blocks) {
    const range = [Math.max(0, end - page_blocks), end];
    const [page] = await database.query<IdentityPage[]>(page_sql, range);
    yield page!;
  }
}
