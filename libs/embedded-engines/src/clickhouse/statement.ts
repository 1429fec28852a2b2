/** One request of ClickHouse's HTTP protocol, read but not yet run. */
export interface Statement {
  readonly sql: string;
  /** Rows of an INSERT, in the format its text names; empty for everything else. */
  readonly rows: Buffer;
  readonly database: string;
  readonly format: string;
  readonly settings: ReadonlyMap<string, string>;
  /** Values of `{name:Type}`, escaped the way the protocol sends them. */
  readonly parameters: ReadonlyMap<string, string>;
  readonly queryId: string;
}

/** The request is not one this server takes; `code` is ClickHouse's own error number. */
export class StatementRefusedError extends Error {
  constructor(
    readonly code: number,
    readonly kind: string,
    message: string,
  ) {
    super(message);
    this.name = 'StatementRefusedError';
  }
}

/** Names that the HTTP interface understands itself; everything else is a setting. */
const protocol_names = new Set([
  'query',
  'query_id',
  'database',
  'default_format',
  'user',
  'password',
  'role',
  'session_id',
  'session_timeout',
  'session_check',
  'quota_key',
  'compress',
  'decompress',
  'wait_end_of_query',
  'buffer_size',
  'http_response_buffer_size',
  'send_progress_in_http_headers',
  'http_headers_progress_interval_ms',
  'enable_http_compression',
  'http_zlib_compression_level',
  'cancel_http_readonly_queries_on_client_close',
]);
const word = /^\w+$/;

/** Puts the pieces of a request together; the SQL may come in the address, the body, or both. */
export function toStatement(
  address: URLSearchParams,
  headers: Readonly<Record<string, string | undefined>>,
  body: Buffer,
  queryId: string,
): Statement {
  const settings = new Map<string, string>();
  const parameters = new Map<string, string>();
  for (const [name, value] of address) {
    if (protocol_names.has(name)) continue;
    if (!word.test(name)) {
      throw new StatementRefusedError(115, 'UNKNOWN_SETTING', `Unknown setting '${name}'.`);
    }
    if (name.startsWith('param_')) parameters.set(name, value);
    else settings.set(name, value);
  }
  const text = address.get('query') ?? '';
  const inBody = text.trim() === '';
  const sql = inBody ? body.toString('utf8') : text;
  if (sql.trim() === '') throw new StatementRefusedError(62, 'SYNTAX_ERROR', 'Empty query.');
  return {
    sql,
    rows: inBody ? Buffer.alloc(0) : body,
    database: address.get('database') ?? headers['x-clickhouse-database'] ?? 'default',
    format: address.get('default_format') ?? headers['x-clickhouse-format'] ?? 'TabSeparated',
    settings,
    parameters,
    queryId,
  };
}

const before_first_word = /^(?:\s+|\(|--[^\n]*\n|\/\*[\s\S]*?\*\/)+/;
const reading_word = /^(SELECT|WITH|SHOW|DESC|DESCRIBE|EXISTS|EXPLAIN)\b/i;

/** Whether the statement only reads, so that any session may run it. */
export function isReading(sql: string): boolean {
  return reading_word.test(sql.replace(before_first_word, ''));
}
