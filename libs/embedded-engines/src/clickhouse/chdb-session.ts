import { Session, type RawInsertFormat } from 'chdb';
import { limits } from '../limits.js';
import { StatementRefusedError, type Statement } from './statement.js';

export interface StatementResult {
  readonly bytes: Uint8Array;
  readonly rowsRead: number;
  readonly rowsWritten: number;
}

/** `INSERT INTO t (a, b) SETTINGS x = 1 FORMAT f`: table, columns, settings, format. */
const plain_insert = new RegExp(
  [
    String.raw`^\s*INSERT\s+INTO\s+(?:TABLE\s+)?([\w.]+)\s*`,
    String.raw`(?:\(([\w\s,]+)\))?\s*`,
    String.raw`(?:SETTINGS\s+([^()]*?)\s+)?`,
    String.raw`FORMAT\s+(\w+)\s*;?\s*$`,
  ].join(''),
  'i',
);
const plain_setting = /^\s*(\w+)\s*=\s*(?:'([^'\\]*)'|(\d+))\s*$/;
const raw_formats: readonly string[] = [
  'JSONEachRow',
  'JSONCompactEachRow',
  'TabSeparated',
  'TSV',
  'CSV',
] satisfies RawInsertFormat[];

/**
 * One connection to the engine; it runs one statement at a time. Database, settings and
 * parameters of a request are state of the connection, so only what differs from the request
 * before has to be told to the engine.
 */
export class ChdbSession {
  private readonly session: Session;
  private database = 'default';
  private readonly settings = new Map<string, string>();
  private readonly parameters = new Map<string, string>();

  constructor(directory: string) {
    // As in the server, and unlike in the embedded engine's command line: `1 + 1` is no query.
    this.session = new Session(directory, {
      connectionArgs: [
        '--implicit_select=0',
        `--max_execution_time=${limits.statement_seconds_max}`,
        // A parameter comes in a statement of its own here, with every character escaped at worst.
        `--max_query_size=${2 * limits.address_bytes_max}`,
      ],
    });
  }

  async run(statement: Statement): Promise<StatementResult> {
    if (statement.database !== this.database) {
      await this.session.queryAsync(`USE ${quotedName(statement.database)}`);
      this.database = statement.database;
    }
    await this.applySettings(statement.settings);
    await this.bindParameters(statement);
    if (statement.rows.length > 0) return this.insert(statement);
    const result = await this.session.queryAsync(statement.sql, { format: statement.format });
    return { bytes: result.bytes(), rowsRead: result.rowsRead, rowsWritten: 0 };
  }

  close(): void {
    this.session.close();
  }

  private async applySettings(wanted: ReadonlyMap<string, string>): Promise<void> {
    for (const name of [...this.settings.keys()]) {
      if (wanted.has(name)) continue;
      await this.session.queryAsync(`SET ${name} = DEFAULT`);
      this.settings.delete(name);
    }
    for (const [name, value] of wanted) {
      if (this.settings.get(name) === value) continue;
      await this.session.queryAsync(`SET ${name} = ${quotedText(value)}`);
      this.settings.set(name, value);
    }
  }

  private async bindParameters({ sql, parameters }: Statement): Promise<void> {
    for (const name of this.parameters.keys()) {
      // The engine cannot forget a parameter; a forgotten value must not answer a later query.
      const bare = name.slice('param_'.length);
      if (!parameters.has(name) && new RegExp(`\\{\\s*${bare}\\s*:`).test(sql)) {
        const message = `Substitution \`${bare}\` is not set.`;
        throw new StatementRefusedError(456, 'UNKNOWN_QUERY_PARAMETER', message);
      }
    }
    for (const [name, value] of parameters) {
      if (this.parameters.get(name) === value) continue;
      await this.session.queryAsync(`SET ${name} = ${quotedText(value)}`);
      this.parameters.set(name, value);
    }
  }

  /** The common form goes to the engine as bytes; any other one as text behind its statement. */
  private async insert({ sql, rows }: Statement): Promise<StatementResult> {
    const plain = plain_insert.exec(sql);
    const settings = plain === null ? null : readSettings(plain[3]);
    if (plain !== null && settings !== null && raw_formats.includes(plain[4]!)) {
      const columns = plain[2]?.split(',').map((column) => column.trim());
      const summary = await this.session.insert({
        table: plain[1]!,
        values: rows,
        format: plain[4] as RawInsertFormat,
        settings,
        ...(columns === undefined ? {} : { columns }),
      });
      return { bytes: new Uint8Array(), rowsRead: 0, rowsWritten: summary.rowsWritten };
    }
    await this.session.queryAsync(`${sql}\n${rows.toString('utf8')}`);
    return { bytes: new Uint8Array(), rowsRead: 0, rowsWritten: 0 };
  }
}

function readSettings(text: string | undefined): Record<string, string | number> | null {
  const settings: Record<string, string | number> = {};
  for (const assignment of text?.split(',') ?? []) {
    const match = plain_setting.exec(assignment);
    if (match === null) return null;
    settings[match[1]!] = match[2] ?? Number(match[3]);
  }
  return settings;
}

function quotedName(name: string): string {
  return `\`${name.replace(/\\/g, '\\\\').replace(/`/g, '\\`')}\``;
}

function quotedText(text: string): string {
  const escaped = text.replace(/\\/g, '\\\\').replace(/'/g, "\\'").replace(/\0/g, '\\0');
  return `'${escaped}'`;
}
