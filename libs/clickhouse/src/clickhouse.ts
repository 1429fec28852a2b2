import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { ClickHouseLogLevel, createClient, type ClickHouseClient } from '@clickhouse/client';
import { toServerAddress } from './server-address.js';
import { topologyOf, type Topology } from './topology.js';

export interface ClickhouseOptions {
  /** HTTP address; user, password, the database as its path, and `?cluster=` may be part of it. */
  readonly url: string;
  /** Shown in the server's query log. */
  readonly app: string;
  /** Database of the tables; else the one that the address names, else `uptake`. */
  readonly database?: string;
  readonly requestTimeoutMs?: number;
  readonly connectionsMax?: number;
}

/** Higher levels cost more processor time than their bytes are worth. */
const insert_compression = { codec: 'gzip', level: 1 } as const;

/** Values of named parameters, `{from:Date}` in the SQL text. */
export type QueryParameters = Readonly<
  Record<string, string | number | boolean | readonly string[] | readonly bigint[]>
>;

/**
 * ClickHouse through its official client. Settings belong into the SQL text, where a reader of the
 * statement sees them. Every method throws what the client throws when the server refuses or cannot
 * be reached.
 */
export class Clickhouse {
  constructor(
    private readonly client: ClickHouseClient,
    readonly database: string,
    /** Where its tables live. */
    readonly topology: Topology,
  ) {}

  /** The rows of a SELECT as they come; 64-bit integers may be numbers or strings. */
  async rows<Row>(sql: string, parameters: QueryParameters = {}): Promise<Row[]> {
    const result = await this.client.query({
      query: sql,
      query_params: parameters,
      format: 'JSONEachRow',
    });
    return result.json<Row>();
  }

  /** A statement without rows: DDL, `INSERT … SELECT`, partition commands. */
  async run(sql: string, parameters: QueryParameters = {}): Promise<void> {
    await this.client.command({ query: sql, query_params: parameters });
  }

  /**
   * An `INSERT … FORMAT …` whose rows are sent as the body; on return they are stored. Rows that
   * were sent when this throws may or may not be stored.
   */
  async insert(
    statement: string,
    body: readonly string[],
    parameters: QueryParameters = {},
  ): Promise<void> {
    const { stream } = await this.client.exec({
      query: statement,
      query_params: parameters,
      values: Readable.from(body),
    });
    // The socket is free again only when the (empty) answer has been read.
    await text(stream);
  }

  /** Whether the server answers; never throws. */
  async isUp(): Promise<boolean> {
    return this.client.ping().then(
      ({ success }) => success,
      () => false,
    );
  }

  async close(): Promise<void> {
    await this.client.close();
  }
}

/** A client; it connects when it is first used. The caller closes it. */
export function openClickhouse(options: ClickhouseOptions): Clickhouse {
  const address = toServerAddress(options.url);
  const database = options.database ?? address.database ?? 'uptake';
  const client = createClient({
    url: address.url,
    application: options.app,
    database,
    request_timeout: options.requestTimeoutMs ?? 120_000,
    max_open_connections: options.connectionsMax ?? 8,
    // The client would write to the console; what fails is thrown and logged by whoever asked.
    log: { level: ClickHouseLogLevel.OFF },
    keep_alive: { enabled: true, idle_socket_ttl: 2_500 },
    compression: { request: address.isLoopback ? false : insert_compression, response: false },
  });
  const { cluster } = address;
  return new Clickhouse(client, database, topologyOf(cluster));
}
