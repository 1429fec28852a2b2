import { openClickhouse } from '#clickhouse/clickhouse.js';
import { openDatabase } from '#postgres/database.js';
import type { SpecService } from '../../support/service.js';

/** What must not be public, by kind. Each text is found nowhere by chance. */
export type PrivateFacts = Readonly<Record<string, readonly string[]>>;

/** One private text in a public one. */
export interface Leak {
  readonly kind: string;
  readonly secret: string;
}

/** A 64-bit number as it is, and as it becomes when somebody reads it as a number. */
const written = (key: string) => [key, String(Number(key))];

const ids = (column: string, table: string) => `select distinct ${column} as id from ${table}`;

/** All that the stores know of developers, accounts and organizations, and what was sent. */
export async function privateFactsOf(
  { config, organizationKey, productKey }: SpecService,
  sent: PrivateFacts,
): Promise<PrivateFacts> {
  const database = await openDatabase({ url: config.databaseUrl!, app: 'spec' });
  const clickhouse = openClickhouse({ url: config.clickhouseUrl!, app: 'spec' });
  const inPostgres = async (column: string, table: string) =>
    (await database.query<{ id: string }[]>(ids(column, table))).map(({ id }) => id);
  const inColumns = async (column: string) =>
    (await clickhouse.rows<{ id: string }>(ids(`toString(${column})`, 'usage_events_v1'))).map(
      ({ id }) => id,
    );
  try {
    return {
      ...sent,
      'dev_key of the registry': (await inPostgres('dev_key::text', 'developer_identity')).flatMap(
        written,
      ),
      'identity hash': await inPostgres("encode(identity_hash, 'hex')", 'developer_identity'),
      'dev_key of the rows': (await inColumns('dev_key')).flatMap(written),
      'account key': (await inColumns('account_key')).filter((key) => key !== '0').flatMap(written),
      'event id': await inColumns('event_id'),
      'organization id': await inPostgres('id::text', 'organization'),
      'product id': await inPostgres('id::text', 'product'),
      'tracking key': [organizationKey, productKey],
      pepper: [config.identityPepper],
    };
  } finally {
    await clickhouse.close();
    await database.destroy();
  }
}

/** The private texts that a public one holds, in whatever case of letters. */
export function leaksIn(text: string, facts: PrivateFacts): Leak[] {
  const searched = text.toLowerCase();
  return Object.entries(facts).flatMap(([kind, secrets]) =>
    secrets
      .filter((secret) => searched.includes(secret.toLowerCase()))
      .map((secret) => ({ kind, secret })),
  );
}
